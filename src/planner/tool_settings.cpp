#include "planner/tool_settings.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "planner/exact_plan.h"
#include "planner/merge_problem.h"
#include "planner/strategy.h"

namespace mgbench {
namespace {

constexpr double kStep = 1.005;  // between limits where not all are tried

Bytes round_up(Bytes bytes, Bytes unit) {
  return (bytes + unit - 1) / unit * unit;
}

class Search {
 public:
  Search(const Profile& profile, const CostModel& cost, double tolerance, const MergePlan* wanted = nullptr)
      : problem_(profile, cost), update_(profile.update), tolerance_(tolerance), wanted_(wanted) {}

  const MergeProblem& problem() const { return problem_; }

  PredictedPlan predicted(const std::vector<std::size_t>& ends) const {
    return {MergePlan(ends), problem_.finish(ends) + update_};
  }

  /// Goes through the limits from `unit` on, in multiples of it, from one plan to the next: those that make the plan at
  /// hand say where the next one begins. `by_default` is what the tool does without a setting, `default_limit` the
  /// limit that it names for that.
  template <typename Rule>
  ToolSetting best(const Rule& rule, Bytes first, Bytes unit, Bytes default_limit,
                   const LimitedPlan& by_default) const {
    struct Candidate {
      Bytes limit;
      Score score;
    };
    ToolSetting result{.best = predicted(by_default.ends), .by_default = predicted(by_default.ends)};
    result.all_tried = problem_.tensors() <= kMostTensorsToTryAll;
    std::vector<Candidate> candidates;
    Score least = score(by_default.ends);
    for (Bytes limit = first;;) {
      const LimitedPlan plan = rule(limit);
      candidates.push_back({limit, score(plan.ends)});
      least = std::min(least, candidates.back().score);
      if (plan.most == LimitedPlan::kNoBound) break;
      Bytes next = plan.most + 1;
      if (!result.all_tried) next = std::max(next, static_cast<Bytes>(kStep * static_cast<double>(limit)));
      limit = round_up(next, unit);
    }
    result.tried = candidates.size();

    const auto good = [&](const Score& score) {
      return score.first == least.first && score.second <= least.second * (1 + tolerance_);
    };
    result.different = least.first;
    result.is_default = good(score(by_default.ends));
    result.limit = default_limit;
    result.most = by_default.most;
    if (result.is_default) return result;
    const auto chosen = std::find_if(candidates.rbegin(), candidates.rend(),
                                     [&](const Candidate& candidate) { return good(candidate.score); });
    const LimitedPlan plan = rule(chosen->limit);
    result.best = predicted(plan.ends);
    result.limit = std::max(first, round_up(plan.least, unit));
    result.most = plan.most;
    return result;
  }

 private:
  /// Boundaries that differ from the wanted plan's, then the predicted iteration.
  using Score = std::pair<std::size_t, Seconds>;

  Score score(const std::vector<std::size_t>& ends) const {
    return {wanted_ != nullptr ? different_boundaries(MergePlan(ends), *wanted_) : 0, problem_.finish(ends) + update_};
  }

  MergeProblem problem_;
  Seconds update_;
  double tolerance_;
  const MergePlan* wanted_;
};

}  // namespace

std::size_t different_boundaries(const MergePlan& left, const MergePlan& right) {
  std::vector<std::size_t> different;
  std::set_symmetric_difference(left.ends().begin(), left.ends().end(), right.ends().begin(), right.ends().end(),
                                std::back_inserter(different));
  return different.size();
}

PredictedPlan optimum(const Profile& profile, const CostModel& cost) {
  return Search(profile, cost, kTie).predicted(exact_plan(profile, cost).ends());
}

ToolSetting best_ddp_cap(const Profile& profile, const CostModel& cost, DdpFirstBucket first_bucket, double tolerance,
                         const MergePlan* wanted) {
  const StrategyOptions tool;
  const Search search(profile, cost, tolerance, wanted);
  const LimitedPlan by_default = close_when_reached(search.problem(), tool.ddp_bucket, tool.ddp_first_bucket);
  const auto rule = [&](Bytes cap) {
    return first_bucket == DdpFirstBucket::follows ? close_when_reached(search.problem(), cap)
                                                   : close_when_reached(search.problem(), cap, tool.ddp_first_bucket);
  };
  return search.best(rule, 1, 1, tool.ddp_bucket, by_default);
}

ToolSetting best_horovod_threshold(const Profile& profile, const CostModel& cost, Seconds cycle, double tolerance,
                                   const MergePlan* wanted) {
  const StrategyOptions tool;
  const Search search(profile, cost, tolerance, wanted);
  const auto rule = [&](Bytes threshold) { return fuse_in_cycles(search.problem(), threshold, cycle); };
  return search.best(rule, 0, Bytes{1} << 20, tool.horovod_threshold,
                     fuse_in_cycles(search.problem(), tool.horovod_threshold, tool.horovod_cycle));
}

ToolSetting best_deepspeed_bucket(const Profile& profile, const CostModel& cost, Bytes element, double tolerance,
                                  const MergePlan* wanted) {
  const Search search(profile, cost, tolerance, wanted);
  const auto rule = [&](Bytes limit) { return close_before_exceeding(search.problem(), limit); };
  const Bytes standard = 500'000'000 * element;
  return search.best(rule, element, element, standard, rule(standard));
}

ToolSetting best_megatron_bucket(const Profile& profile, const CostModel& cost, Bytes element, int ranks,
                                 double tolerance, const MergePlan* wanted) {
  const Search search(profile, cost, tolerance, wanted);
  const auto rule = [&](Bytes cap) { return close_when_reached(search.problem(), cap); };
  const Bytes standard = std::max(Bytes{40'000'000}, Bytes{1'000'000} * ranks) * element;
  return search.best(rule, element, element, standard, rule(standard));
}

}  // namespace mgbench

#include "bench/calibration/compare_algorithms.h"

#include <algorithm>
#include <random>

#include "bench/clock.h"
#include "bench/watch/interruption.h"
#include "report/statistics.h"

namespace mgbench {
namespace {

constexpr int kScreeningRounds = 5;
constexpr int kLeastRounds = 6;  // fewer have no 95 % interval
constexpr int kMostRounds = 200;
constexpr double kCertain = 0.005;  // of the ratio
constexpr double kHopeless = 3;     // times the own choice's time at first sight
constexpr Bytes kGrowth = 4;

/// The own choice or one of the others at one size.
struct Candidate {
  TimedAllreduce* allreduce = nullptr;
  std::size_t algorithm = 0;  ///< index of `others`; not of the own choice
  SamplePlan plan = {};
  std::vector<Seconds> samples = {};
};

struct Size {
  Bytes bytes = 0;
  std::vector<Candidate> candidates;  ///< the own choice first
  std::vector<std::string> same;      ///< names of those that do the same

  bool certain() const {
    const auto& samples = candidates.front().samples;
    return samples.size() >= kMostRounds ||
           (samples.size() >= kLeastRounds &&
            relative_uncertainty(estimate_ratio(samples, candidates.back().samples)) <= kCertain);
  }
};

class Comparison {
 public:
  Comparison(ProcessGroup& group, TimedAllreduce& own_choice, const std::vector<Algorithm>& others,
             const ComparisonRequest& request, Progress& progress)
      : group_(group),
        own_choice_(own_choice),
        others_(others),
        request_(request),
        progress_(progress),
        begin_(steady_clock().now()),
        calls_(group, request.largest),
        random_(request.seed) {
    result_.ranks = group.size();
    failed_.resize(others.size());
  }

  /// Upwards through the sizes as far as the budget goes: checks sums, and sees how long each algorithm takes.
  void warm_up() {
    Seconds last = 0;  // one call of each
    for (const Bytes bytes : compared_sizes(request_.largest.bytes)) {
      // Of this size and a third of it for all smaller ones; half of the budget, for the confirmation.
      const Seconds expected = kGrowth * last * 4 / 3 * 2 * (kScreeningRounds + 2);
      if (sizes_.size() >= 2 && spent(expected) > 0.5) {
        result_.left_out_above = sizes_.back().bytes;
        return;
      }
      sizes_.push_back(first_look(bytes));
      last = sum_of_calls(sizes_.back());
    }
  }

  /// Leaves at each size the own choice and the fastest of the others.
  void screen() {
    for (Size& size : sizes_)
      std::erase_if(size.candidates, [&](const Candidate& candidate) {
        return candidate.allreduce != &own_choice_ && failed_[candidate.algorithm];
      });
    for (int round = 0; round < kScreeningRounds && (round == 0 || spent() < 0.5); ++round) {
      progress_.advance(spent(), "which of the others is the fastest");
      sample(all_sizes());
    }
    for (Size& size : sizes_) {
      const auto fastest = std::min_element(
          size.candidates.begin() + 1, size.candidates.end(),
          [](const Candidate& left, const Candidate& right) { return median(left.samples) < median(right.samples); });
      if (fastest != size.candidates.end()) std::iter_swap(size.candidates.begin() + 1, fastest);
      size.candidates.resize(std::min<std::size_t>(size.candidates.size(), 2));
      for (Candidate& candidate : size.candidates) candidate.samples.clear();
    }
    std::erase_if(sizes_, [](const Size& size) { return size.candidates.size() < 2; });
  }

  void confirm() {
    for (bool first = true;; first = false) {
      std::vector<Size*> open = all_sizes();
      std::erase_if(open, [](const Size* size) { return size->certain(); });
      if (open.empty() || (spent() >= 1 && !first)) return;
      progress_.advance(spent(), fmt::format("{} of {} sizes certain", sizes_.size() - open.size(), sizes_.size()));
      sample(open);
    }
  }

  AlgorithmComparison result() && {
    for (Size& size : sizes_) {
      const Algorithm& other = others_[size.candidates[1].algorithm];
      result_.sizes.push_back({.bytes = size.bytes,
                               .algorithm = other.name,
                               .value = other.value,
                               .same = std::move(size.same),
                               .own_choice = std::move(size.candidates[0].samples),
                               .other = std::move(size.candidates[1].samples)});
    }
    return std::move(result_);
  }

 private:
  /// The share of the budget, with `more` on top.
  double spent(Seconds more = 0) {
    return group_.maximum(share_spent(steady_clock().now() - begin_ + more, request_.budget));
  }

  std::vector<Size*> all_sizes() {
    std::vector<Size*> sizes;
    for (Size& size : sizes_) sizes.push_back(&size);
    return sizes;
  }

  static Seconds sum_of_calls(const Size& size) {
    Seconds sum = 0;
    for (const Candidate& candidate : size.candidates) sum += candidate.samples.front();
    return sum;
  }

  Size first_look(Bytes bytes) {
    Candidate own{.allreduce = &own_choice_};
    calls_.checked_time(own_choice_, bytes, "the own choice");
    look_at(own, bytes);
    Size size{.bytes = bytes, .candidates = {own}, .same = {}};
    for (std::size_t i = 0; i < others_.size(); ++i) {
      if (others_[i].same_as_own_choice.contains(bytes)) size.same.push_back(others_[i].name);
      if (failed_[i] || others_[i].same_as_own_choice.contains(bytes) || others_[i].same_as_another.contains(bytes))
        continue;
      Candidate other{.allreduce = others_[i].allreduce.get(), .algorithm = i};
      if (!works(other, bytes)) continue;
      look_at(other, bytes);
      size.candidates.push_back(std::move(other));
    }
    leave_out_hopeless(size.candidates);
    return size;
  }

  /// One stays: that none is faster is a finding.
  static void leave_out_hopeless(std::vector<Candidate>& candidates) {
    std::stable_sort(candidates.begin() + 1, candidates.end(), [](const Candidate& left, const Candidate& right) {
      return left.samples.front() < right.samples.front();
    });
    while (candidates.size() > 2 && candidates.back().samples.front() > kHopeless * candidates.front().samples.front())
      candidates.pop_back();
  }

  /// The same on all ranks.
  bool works(const Candidate& candidate, Bytes bytes) {
    const std::string& name = others_[candidate.algorithm].name;
    std::string failure;
    try {
      calls_.checked_time(*candidate.allreduce, bytes, name);
    } catch (const Error& error) {
      failure = error.what();
    }
    if (group_.all(failure.empty())) return true;
    failed_[candidate.algorithm] = true;
    for (const std::string& text : group_.gather(failure))
      if (!text.empty()) result_.failed.try_emplace(name, text);
    return false;
  }

  void look_at(Candidate& candidate, Bytes bytes) {
    candidate.plan = calls_.plan(*candidate.allreduce, bytes);
    candidate.samples = {candidate.plan.call};
  }

  /// One round: sizes in random order, at each its candidates in random order.
  void sample(std::vector<Size*> sizes) {
    std::shuffle(sizes.begin(), sizes.end(), random_);  // the same order on every rank
    std::vector<Candidate*> order;
    std::vector<double> medians;
    for (Size* size : sizes) {
      const std::size_t begin = order.size();
      for (Candidate& candidate : size->candidates) order.push_back(&candidate);
      std::shuffle(order.begin() + static_cast<std::ptrdiff_t>(begin), order.end(), random_);
      for (std::size_t i = begin; i < order.size(); ++i)
        medians.push_back(median(calls_.sample(*order[i]->allreduce, size->bytes, order[i]->plan)));
    }
    medians = group_.maximum(medians);
    for (std::size_t i = 0; i < order.size(); ++i) order[i]->samples.push_back(medians[i]);
  }

  ProcessGroup& group_;
  TimedAllreduce& own_choice_;
  const std::vector<Algorithm>& others_;
  const ComparisonRequest& request_;
  Progress& progress_;
  Seconds begin_;
  AllreduceCalls calls_;
  std::mt19937_64 random_;
  std::vector<bool> failed_;  ///< by algorithm
  std::vector<Size> sizes_;
  AlgorithmComparison result_;
};

}  // namespace

std::vector<Bytes> compared_sizes(Bytes largest) {
  std::vector<Bytes> sizes;
  for (Bytes bytes = sizeof(float); bytes <= largest; bytes *= kGrowth) sizes.push_back(bytes);
  return sizes;
}

AlgorithmComparison compare_algorithms(ProcessGroup& group, TimedAllreduce& own_choice,
                                       const std::vector<Algorithm>& others, const ComparisonRequest& request,
                                       Progress& progress) {
  Comparison comparison(group, own_choice, others, request, progress);
  comparison.warm_up();
  comparison.screen();
  comparison.confirm();
  return std::move(comparison).result();
}

}  // namespace mgbench

#include "report/tuning.h"

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "planner/strategy.h"
#include "report/race.h"
#include "report/tensor_groups.h"

namespace mgbench {
namespace {

bool is_strategy(const std::string& name) {
  const std::vector<std::string> names = strategies().names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool has_times(const StrategyResult& strategy) {
  return strategy.failure.empty() && strategy.iteration().samples > 0;
}

TuningRow make_row(const StrategyResult& strategy) {
  return {.name = strategy.strategy,
          .origin = strategy.origin,
          .same = strategy.same,
          .fixed = is_strategy(strategy.strategy),
          .messages = strategy.group_ends.size(),
          .iteration = has_times(strategy) ? strategy.iteration() : MedianEstimate{},
          .predicted = strategy.predicted.iteration,
          .dropped = strategy.dropped,
          .against_chosen = std::nullopt,
          .failure = has_times(strategy) || !strategy.failure.empty() ? strategy.failure : "no sample to trust"};
}

/// Left, dropped, failed.
int class_of(const TuningRow& row) {
  if (!row.failure.empty()) return 2;
  return row.dropped ? 1 : 0;
}

bool stands_before(const TuningRow& left, const TuningRow& right) {
  if (class_of(left) != class_of(right)) return class_of(left) < class_of(right);
  if (left.dropped && right.dropped && left.dropped->rounds != right.dropped->rounds)
    return left.dropped->rounds > right.dropped->rounds;
  return left.iteration.median < right.iteration.median;
}

}  // namespace

const TuningRow* Tuning::find(const std::string& name) const {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const TuningRow& row) {
    return row.name == name || std::find(row.same.begin(), row.same.end(), name) != row.same.end();
  });
  return found == rows.end() ? nullptr : &*found;
}

Tuning summarize_tuning(const RunResult& result) {
  std::vector<const StrategyResult*> raced;
  std::vector<Racer> racers;
  Tuning tuning;
  for (const StrategyResult& strategy : result.strategies) {
    tuning.rows.push_back(make_row(strategy));
    if (!has_times(strategy)) continue;
    raced.push_back(&strategy);
    racers.push_back({.times = round_times(strategy.samples),
                      .fixed = is_strategy(strategy.strategy),
                      .left = !strategy.dropped.has_value()});
  }
  const auto end = conclude(racers);
  if (end)
    for (std::size_t i = 0; i < raced.size(); ++i)
      if (i != end->chosen)
        std::find_if(tuning.rows.begin(), tuning.rows.end(), [&](const TuningRow& row) {
          return row.name == raced[i]->strategy;
        })->against_chosen = ratio_by_rounds(racers[i].times, racers[end->chosen].times);
  std::stable_sort(tuning.rows.begin(), tuning.rows.end(), stands_before);
  if (!end) return tuning;
  const auto place = [&](std::size_t racer) {
    return static_cast<std::size_t>(tuning.find(raced[racer]->strategy) - tuning.rows.data());
  };
  tuning.chosen = place(end->chosen);
  tuning.leader = place(end->leader);
  if (end->best_fixed) tuning.best_fixed = place(*end->best_fixed);
  return tuning;
}

PlanFile chosen_plan(const RunResult& result, const Tuning& tuning) {
  if (!tuning.chosen) fail(ExitCode::not_measured, "no plan was measured: there is none to be saved");
  const TuningRow& row = tuning.rows[*tuning.chosen];
  const auto strategy = std::find_if(result.strategies.begin(), result.strategies.end(),
                                     [&](const StrategyResult& other) { return other.strategy == row.name; });
  return {.name = "tuned",
          .model = result.model,
          .origin = row.origin.empty() ? "strategy " + row.name : row.origin,
          .emulated = result.emulated,
          .command = result.command,
          .date = result.date,
          .ranks = result.ranks,
          .predicted = row.predicted,
          .measured = row.iteration,
          .groups = tensor_groups(result.profile, MergePlan(strategy->group_ends))};
}

}  // namespace mgbench

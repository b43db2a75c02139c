#include <limits>
#include <utility>
#include <vector>

#include "planner/exact_plan.h"
#include "planner/simulated_strategy.h"
#include "planner/timeline.h"

namespace mgbench::simulated_strategies_entries {
namespace {

/// Messages on two channels in turn.
Schedule alternating(Schedule schedule) {
  for (std::size_t i = 0; i < schedule.size(); ++i) schedule[i].channel = static_cast<int>(i % 2);
  return schedule;
}

/// Two allreduces in flight at once hide each other's start-up and share the link (Shi, Chu, Li, INFOCOM 2021). The
/// best of a family: plans that are exact for one channel with start-up and rate scaled, on two channels in turn; the
/// exact plan on one channel is among them. Not proven to be the optimum over all schedules.
Schedule simultaneous(const Profile& profile, const CostModel& cost, const StrategyOptions&) {
  constexpr double kStartups[] = {1, 0.5, 0.25, 0.1};
  Schedule best = make_schedule(profile, exact_plan(profile, cost));
  Seconds least = predict(profile, best, cost).iteration;
  const auto consider = [&](const MergePlan& plan) {
    Schedule schedule = alternating(make_schedule(profile, plan));
    const Seconds iteration = predict(profile, schedule, cost).iteration;
    if (iteration >= least) return;
    least = iteration;
    best = std::move(schedule);
  };
  consider(exact_plan(profile, cost));
  for (const double startup : kStartups)
    for (const double rate : {1.0, cost.sharing() / 2, cost.sharing()})
      consider(exact_plan(profile, CostModel(Line{startup * cost.line().a, rate * cost.line().b})));
  return best;
}

}  // namespace

SimulatedStrategyEntry asc_wfbp() {
  return {"asc-wfbp",
          "ASC-WFBP: two allreduces in flight at once, each of which slows the other (the best of a family)",
          {.does = "two messages in flight at once, on two channels in turn",
           .formula = "a byte takes --sharing times b while both transfer; a overlaps",
           .best = "start-ups are long beside transfers; the best of a family of plans",
           .source = "Shi, Chu, Li, INFOCOM 2021: ASC-WFBP"},
          simultaneous};
}

}  // namespace mgbench::simulated_strategies_entries

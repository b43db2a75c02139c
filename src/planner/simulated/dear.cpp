#include <algorithm>
#include <vector>

#include "planner/exact_plan.h"
#include "planner/simulated_strategy.h"

namespace mgbench::simulated_strategies_entries {
namespace {

/// The forward pass, backwards in time: a step that waits for its group's message before it starts becomes a step that
/// releases its group's message when it has ended, and the pass takes as long.
Profile mirrored_forward(const Profile& profile) {
  Profile mirrored = profile;
  for (Profile::Step& step : mirrored.steps) {
    step.backward = step.forward;
    step.forward = 0;
  }
  mirrored.update = 0;
  return mirrored;
}

/// Zhang, Shi, Chu, Wang, Li, "DeAR" (ICDCS 2023): reduce-scatters in backward, all-gathers before the steps of the
/// next forward that need them. Their groups are independent: each of the two is an exact program of its own.
Schedule decoupled(const Profile& profile, const CostModel& cost, const StrategyOptions&) {
  Schedule schedule = make_schedule(profile, exact_plan(profile, cost.as_allreduce(Collective::reduce_scatter)));
  for (Message& message : schedule) message.collective = Collective::reduce_scatter;

  const Profile mirrored = mirrored_forward(profile);
  Schedule gathers = make_schedule(mirrored, exact_plan(mirrored, cost.as_allreduce(Collective::all_gather)));
  std::reverse(gathers.begin(), gathers.end());
  for (Message& message : gathers) {
    message.collective = Collective::all_gather;
    message.needed_by = message.released_by;  // the group's first step in forward order
    message.released_by = 0;
  }
  schedule.insert(schedule.end(), gathers.begin(), gathers.end());
  return schedule;
}

}  // namespace

SimulatedStrategyEntry dear() {
  return {"dear",
          "DeAR: reduce-scatters in backward, all-gathers before the next forward's steps, each grouped optimally",
          {.does = "reduce-scatters in backward, all-gathers in the next forward",
           .formula = "each takes T(m) / 2; F(j) as for mg-wfbp, once for either pass",
           .best = "the forward pass is long enough to hide half of the communication",
           .source = "Zhang, Shi, Chu, Wang, Li, ICDCS 2023: DeAR"},
          decoupled};
}

}  // namespace mgbench::simulated_strategies_entries

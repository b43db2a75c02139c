#pragma once

#include "planner/cost_model.h"
#include "planner/merge_plan.h"
#include "planner/profile.h"
#include "planner/timeline.h"

namespace mgbench::testing {

/// The rules of predict() played as events: rates of work and message between releases, starts and ends.
Timeline simulate(const Profile& profile, const Schedule& schedule, const CostModel& cost);

/// The best of all 2^(n-1) plans, by predict().
struct BruteForce {
  Seconds finish = 0;        ///< shortest iteration, less the update
  std::size_t messages = 0;  ///< fewest over plans within a relative 1e-9 of it
};
BruteForce brute_force(const Profile& profile, const CostModel& cost);

/// Predicted iteration less the update.
Seconds predicted_finish(const Profile& profile, const CostModel& cost, const MergePlan& plan);

}  // namespace mgbench::testing

#pragma once

#include <functional>
#include <string>

#include "base/registry.h"
#include "planner/strategy.h"

namespace mgbench {

/// A strategy whose schedules predict() takes and the training loop does not yet.
struct SimulatedStrategyEntry {
  std::string name;
  std::string summary;
  Explanation explanation;
  /// A pure function. `cost` has no overlap.
  std::function<Schedule(const Profile&, const CostModel&, const StrategyOptions&)> schedule;
};

Registry<SimulatedStrategyEntry>& simulated_strategies();

}  // namespace mgbench

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "planner/cluster_cost.h"
#include "planner/line_fit.h"
#include "planner/profile.h"
#include "planner/rank_spread.h"
#include "planner/strategy.h"

namespace mgbench {

/// A strategy as the simulation needs it.
struct Scheduler {
  std::string name;
  std::function<Schedule(const Profile&, const CostModel&, const StrategyOptions&)> schedule;
};

/// All that is registered: those that run, then those that are simulated only.
std::vector<Scheduler> schedulers();

struct SimulationRequest {
  const Profile* profile = nullptr;   ///< never null
  const ClusterCost* cost = nullptr;  ///< never null; without overlap
  std::vector<int> ranks;             ///< each at least 2
  std::vector<Scheduler> strategies;
  StrategyOptions options;
  const RankSpread* spread = nullptr;  ///< none: all ranks alike
  std::uint64_t seed = 1;
};

struct SimulatedStrategy {
  std::string name;
  std::size_t messages = 0;
  Seconds iteration = 0;
  Interval range;  ///< with the cost at either end of its interval
  Seconds exposed = 0;
  double efficiency = 0;              ///< iteration of one rank / iteration
  std::optional<Seconds> mean;        ///< with the spread of ranks
  std::optional<Interval> variation;  ///< 95 % of iterations, with the spread of ranks
};

struct SimulatedSize {
  int ranks = 0;
  Line line;
  std::string basis;
  std::vector<SimulatedStrategy> strategies;  ///< in the order asked for
};

/// Iterations at every size under every strategy. A plan is made anew for each size.
std::vector<SimulatedSize> simulate(const SimulationRequest& request);

/// Where the order of two strategies turns between neighbouring sizes.
struct Crossing {
  std::string overtaking;
  std::string overtaken;
  int from = 0;  ///< ranks: still behind or equal
  int to = 0;    ///< ahead
};
std::vector<Crossing> crossings(const std::vector<SimulatedSize>& sizes);

/// The smallest of the sizes at which a strategy (by index) is below an efficiency; none where it never is.
std::optional<int> first_below(const std::vector<SimulatedSize>& sizes, std::size_t strategy, double efficiency);

}  // namespace mgbench

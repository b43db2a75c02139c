#pragma once

#include <map>
#include <string>

#include "planner/allreduce_law.h"
#include "planner/cost_model.h"

namespace mgbench {

/// What an allreduce costs at one number of ranks of a cluster.
struct RankedCost {
  CostModel cost;
  CostModel low;  ///< 95 %: equal to `cost` where it was measured
  CostModel high;
  std::string basis;  ///< where it comes from
  bool measured() const { return basis == "measured"; }
};

/// Costs at any number of ranks from those at some. Between and beyond them the line goes by AllreduceScaling; what a
/// curve or regimes of the nearest number of ranks say about its line's error at a size is carried over.
class ClusterCost {
 public:
  /// By ranks >= 2. Throws Error when there is none. `law`: the one to go by; null: the one that explains them best.
  explicit ClusterCost(std::map<int, CostModel> costs, const AllreduceLaw* law = nullptr);

  /// Throws Error unless ranks >= 2.
  RankedCost at(int ranks) const;

 private:
  const CostModel& nearest(int ranks) const;

  std::map<int, CostModel> costs_;
  AllreduceScaling scaling_;
};

}  // namespace mgbench

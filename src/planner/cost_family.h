#pragma once

#include <string>
#include <vector>

#include "planner/cost_model.h"

namespace mgbench {

struct NamedCost {
  std::string name;  ///< "cost-x0.5"
  CostModel cost;
};

/// Costs around one that may be wrong: all of it scaled, its start-up alone scaled, without what messages cost
/// computation, and with a start-up's worth of computation lost for each message. Their exact plans are what `mgbench
/// tune` tries.
std::vector<NamedCost> cost_family(const CostModel& cost);

}  // namespace mgbench

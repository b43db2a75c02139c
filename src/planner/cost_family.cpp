#include "planner/cost_family.h"

#include <fmt/format.h>

namespace mgbench {

std::vector<NamedCost> cost_family(const CostModel& cost) {
  std::vector<NamedCost> family;
  for (const double factor : {0.5, 0.7, 1.4, 2.0})
    family.push_back({fmt::format("cost-x{}", factor), cost.scaled(factor)});
  for (const double factor : {0.5, 2.0, 4.0})
    family.push_back({fmt::format("start-up-x{}", factor), cost.with_start_up_scaled(factor)});
  family.push_back({"no-slowdown", cost.with_overlap({})});
  Overlap charged = cost.overlap();
  charged.message_cpu += cost.start_up();
  family.push_back({"message-charge", cost.with_overlap(charged)});
  return family;
}

}  // namespace mgbench

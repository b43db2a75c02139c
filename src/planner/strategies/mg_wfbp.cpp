#include "planner/exact_plan.h"
#include "planner/strategy.h"

namespace mgbench::strategies_entries {

StrategyEntry mg_wfbp() {
  return {
      "mg-wfbp", "MG-WFBP: neighbouring gradients merged so that the iteration ends soonest (the exact optimum)",
      [](const Profile& profile, const CostModel& cost, const StrategyOptions&) { return exact_plan(profile, cost); }};
}

}  // namespace mgbench::strategies_entries

#include "planner/exact_plan.h"
#include "planner/strategy.h"

namespace mgbench::strategies_entries {

StrategyEntry mg_wfbp() {
  return {
      "mg-wfbp",
      "MG-WFBP: neighbouring gradients merged so that the iteration ends soonest (the exact optimum)",
      {.does = "neighbouring tensors merged so that the iteration ends soonest",
       .formula = "F(j) = min over i < j of max(F(i), r_j) + T(s_{i+1} + ... + s_j)",
       .best = "everywhere by prediction: the exact optimum for measured r, s and T",
       .source = "the idea of Shi, Chu, Li, INFOCOM 2019, solved exactly"},
      [](const Profile& profile, const CostModel& cost, const StrategyOptions&) { return exact_plan(profile, cost); }};
}

}  // namespace mgbench::strategies_entries

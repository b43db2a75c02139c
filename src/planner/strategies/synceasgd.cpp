#include "planner/strategy.h"

namespace mgbench::strategies_entries {

StrategyEntry synceasgd() {
  return {"synceasgd",
          "SyncEASGD: one message for everything after the whole backward pass (in this literature the name "
          "means just that; there is no elastic averaging)",
          {.does = "one message of all tensors, after backward; nothing overlaps",
           .formula = "f = r_K + T(s_1 + ... + s_K)",
           .best = "start-ups that cost more than overlap could hide",
           .source = "what the MG-WFBP paper calls SyncEASGD; no elastic averaging"},
          [](const Profile& profile, const CostModel&, const StrategyOptions&) {
            return MergePlan({ready_tensors(profile).size()});
          }};
}

}  // namespace mgbench::strategies_entries

#include "planner/strategy.h"

namespace mgbench::strategies_entries {

StrategyEntry synceasgd() {
  return {"synceasgd",
          "SyncEASGD: one message for everything after the whole backward pass (in this literature the name "
          "means just "
          "that; there is no elastic averaging)",
          [](const Profile& profile, const CostModel&, const StrategyOptions&) {
            return MergePlan({ready_tensors(profile).size()});
          }};
}

}  // namespace mgbench::strategies_entries

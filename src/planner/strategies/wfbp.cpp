#include <numeric>
#include <vector>

#include "planner/strategy.h"

namespace mgbench::strategies_entries {

StrategyEntry wfbp() {
  return {"wfbp", "WFBP: one message for each gradient tensor, as soon as it is ready",
          [](const Profile& profile, const CostModel&, const StrategyOptions&) {
            std::vector<std::size_t> ends(ready_tensors(profile).size());
            std::iota(ends.begin(), ends.end(), std::size_t{1});
            return MergePlan(std::move(ends));
          }};
}

}  // namespace mgbench::strategies_entries

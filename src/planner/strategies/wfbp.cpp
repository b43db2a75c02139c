#include <numeric>
#include <vector>

#include "planner/strategy.h"

namespace mgbench::strategies_entries {

StrategyEntry wfbp() {
  return {"wfbp",
          "WFBP: one message for each gradient tensor, as soon as it is ready",
          {.does = "one message for each tensor, as soon as its gradient is ready",
           .formula = "f_k = max(f_{k-1}, r_k) + T(s_k)",
           .best = "start-ups cost next to nothing: a << b s_k, or few large tensors",
           .source = "Zhang et al., Poseidon, 2017: wait-free backpropagation"},
          [](const Profile& profile, const CostModel&, const StrategyOptions&) {
            std::vector<std::size_t> ends(ready_tensors(profile).size());
            std::iota(ends.begin(), ends.end(), std::size_t{1});
            return MergePlan(std::move(ends));
          }};
}

}  // namespace mgbench::strategies_entries

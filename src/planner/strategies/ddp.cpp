#include <vector>

#include "base/error.h"
#include "planner/strategy.h"

namespace mgbench::strategies_entries {
namespace {

/// A bucket takes tensors in ready order and closes once its size has reached its cap; tensors are never
/// split.
MergePlan buckets(const Profile& profile, const CostModel&, const StrategyOptions& options) {
  require(options.ddp_first_bucket > 0 && options.ddp_bucket > 0,
          "ddp: bucket caps of {} and {} bytes; expected more than zero", options.ddp_first_bucket, options.ddp_bucket);
  const std::vector<ReadyTensor> tensors = ready_tensors(profile);
  std::vector<std::size_t> ends;
  Bytes cap = options.ddp_first_bucket;
  Bytes size = 0;
  for (std::size_t tensor = 0; tensor < tensors.size(); ++tensor) {
    size += tensors[tensor].bytes;
    if (size < cap && tensor + 1 < tensors.size()) continue;
    ends.push_back(tensor + 1);
    cap = options.ddp_bucket;
    size = 0;
  }
  return MergePlan(std::move(ends));
}

}  // namespace

StrategyEntry ddp() {
  return {"ddp", "PyTorch DDP's buckets: closed once they reach a cap, 1 MiB for the first and 25 MiB for the others",
          buckets};
}

}  // namespace mgbench::strategies_entries

#include "base/error.h"
#include "planner/strategy.h"
#include "planner/tool_rules.h"

namespace mgbench::strategies_entries {
namespace {

MergePlan buckets(const Profile& profile, const CostModel& cost, const StrategyOptions& options) {
  require(options.ddp_first_bucket > 0 && options.ddp_bucket > 0,
          "ddp: bucket caps of {} and {} bytes; expected more than zero", options.ddp_first_bucket, options.ddp_bucket);
  return MergePlan(close_when_reached(MergeProblem(profile, cost), options.ddp_bucket, options.ddp_first_bucket).ends);
}

}  // namespace

StrategyEntry ddp() {
  return {"ddp",
          "PyTorch DDP's buckets: closed once they reach a cap, 1 MiB for the first and 25 MiB for the others",
          {.does = "tensors in ready order fill a group, sent once it reaches a cap",
           .formula = "closes once S_1 >= --ddp-first-bucket, later S_g >= --ddp-bucket",
           .best = "to see what a PyTorch job does now; plan --export ddp improves it",
           .source = "PyTorch DistributedDataParallel: 1 MiB, then bucket_cap_mb of 25"},
          buckets};
}

}  // namespace mgbench::strategies_entries

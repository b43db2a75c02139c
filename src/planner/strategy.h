#pragma once

#include <functional>
#include <string>

#include "base/registry.h"
#include "planner/cost_model.h"
#include "planner/explanation.h"
#include "planner/merge_plan.h"
#include "planner/profile.h"

namespace mgbench {

/// What a strategy may be told beside profile and cost. Defaults are the tools' own.
struct StrategyOptions {
  Bytes ddp_first_bucket = Bytes{1} << 20;  ///< PyTorch DDP's first bucket
  Bytes ddp_bucket = Bytes{25} << 20;       ///< PyTorch DDP's bucket_cap_mb
  Bytes horovod_threshold = Bytes{128} << 20;
  Seconds horovod_cycle = 1e-3;
};

/// Cuts a profile's tensors into messages. A pure function: equal arguments, equal plan.
using StrategyFunction = std::function<MergePlan(const Profile&, const CostModel&, const StrategyOptions&)>;

struct StrategyEntry {
  std::string name;
  std::string summary;
  Explanation explanation;
  StrategyFunction plan;
};

/// In the order of reports: wfbp, synceasgd, mg-wfbp first.
Registry<StrategyEntry>& strategies();

}  // namespace mgbench

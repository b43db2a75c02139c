#pragma once

#include <vector>

#include "bench/run_config.h"
#include "planner/profile.h"
#include "report/plan_file.h"

namespace mgbench {

/// The plans that `--plan` names, in its order. Throws Error for a file that is missing or malformed, for a plan whose
/// tensors are not those of `profile`, and for a name that a strategy or another plan has.
std::vector<PlanFile> given_plans(const RunConfig& config, const Profile& profile);

}  // namespace mgbench

#pragma once

#include "planner/cost_model.h"
#include "planner/merge_plan.h"
#include "planner/profile.h"

namespace mgbench {

/// The plan whose predicted iteration is shortest over all plans; of those within a relative 1e-9 of it, one
/// with the fewest messages. Exact under predict(), its overlap included.
MergePlan exact_plan(const Profile& profile, const CostModel& cost);

}  // namespace mgbench

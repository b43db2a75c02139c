#pragma once

#include <vector>

#include "planner/merge_plan.h"
#include "planner/profile.h"

namespace mgbench {

/// The plan's groups, each with its tensors, in the order sent. Throws Error unless the plan has as many tensors as the
/// profile.
std::vector<std::vector<Tensor>> tensor_groups(const Profile& profile, const MergePlan& plan);

Bytes total_bytes(const std::vector<Tensor>& tensors);

}  // namespace mgbench

#pragma once

#include "planner/merge_plan.h"
#include "planner/merge_problem.h"
#include "planner/profile.h"

namespace mgbench {

/// A good plan, not always the best, in a small share of the time that the best one takes. `problem` is of
/// `profile`.
MergePlan known_plan(const Profile& profile, const MergeProblem& problem);

}  // namespace mgbench

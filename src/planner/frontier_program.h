#pragma once

#include "planner/merge_plan.h"
#include "planner/merge_problem.h"

namespace mgbench {

/// The optimum for any cost and any overlap. `known` is any plan: the better it is, the sooner other plans
/// are given up. Takes O(n^2) evaluations of T and, with overlap, a factor that grows with the states worth
/// keeping.
MergePlan frontier_plan(const MergeProblem& problem, const MergePlan& known);

}  // namespace mgbench

#pragma once

#include "planner/merge_plan.h"
#include "planner/merge_problem.h"

namespace mgbench {

/// The optimum where messages do not disturb computation (CostModel::overlap() is taken as none) and a larger message
/// never takes less time. O(n) for a line, O(n p) for a curve of p points, as often as the result has messages; beyond
/// some hundreds of messages for 100,000 tensors ties may not go to the fewest.
MergePlan window_plan(const MergeProblem& problem);

/// Whether time() never falls with size.
bool never_falls(const CostModel& cost);

}  // namespace mgbench

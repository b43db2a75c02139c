#pragma once

#include <cstddef>

#include "planner/merge_plan.h"
#include "planner/merge_problem.h"

namespace mgbench {

/// The optimum for any cost and any overlap. `known` is any plan: the better it is, the sooner other plans
/// are given up. Takes O(n^2) evaluations of T, times a factor that grows with the states worth keeping:
/// usually some tens. If it takes more than `most_comparisons` of states, differences that hardly ever matter
/// are left out; see the source.
MergePlan frontier_plan(const MergeProblem& problem, const MergePlan& known,
                        std::size_t most_comparisons = 100'000'000);

}  // namespace mgbench

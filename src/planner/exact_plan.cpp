#include "planner/exact_plan.h"

#include "planner/frontier_program.h"
#include "planner/known_plan.h"
#include "planner/merge_problem.h"
#include "planner/window_program.h"

namespace mgbench {

MergePlan exact_plan(const Profile& profile, const CostModel& cost) {
  const MergeProblem problem(profile, cost);
  if (cost.overlap().none() && never_falls(cost)) return window_plan(problem);
  return frontier_plan(problem, known_plan(profile, problem));
}

}  // namespace mgbench

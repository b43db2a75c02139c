#include "planner/known_plan.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "planner/window_program.h"

namespace mgbench {
namespace {

enum class Change { add_or_remove, move_next_here, move_previous_here };

/// Changes the sorted `ends` at one boundary that is not the last end; leaves them where the change makes no
/// sense.
void apply(Change change, std::size_t boundary, std::vector<std::size_t>& ends) {
  const auto next = std::lower_bound(ends.begin(), ends.end(), boundary);
  if (change == Change::add_or_remove) {
    if (*next == boundary)
      ends.erase(next);
    else
      ends.insert(next, boundary);
  } else if (*next != boundary) {
    if (change == Change::move_next_here && next + 1 != ends.end()) *next = boundary;
    if (change == Change::move_previous_here && next != ends.begin()) *(next - 1) = boundary;
  }
}

/// Changes single ends as long as that helps.
void descend(const MergeProblem& problem, std::vector<std::size_t>& ends) {
  std::vector<std::size_t> changed;
  for (Seconds finish = problem.finish(ends), before = 0; finish != before;) {
    before = finish;
    for (std::size_t boundary = 1; boundary < problem.tensors(); ++boundary)
      for (const Change change : {Change::add_or_remove, Change::move_next_here, Change::move_previous_here}) {
        changed = ends;
        apply(change, boundary, changed);
        const Seconds changed_finish = problem.finish(changed);
        if (changed_finish >= finish) continue;
        finish = changed_finish;
        ends.swap(changed);
      }
  }
}

}  // namespace

MergePlan known_plan(const Profile& profile, const MergeProblem& problem) {
  std::vector<std::size_t> each(problem.tensors());
  std::iota(each.begin(), each.end(), std::size_t{1});
  // What window_plan() takes: raised where it falls, and without overlap.
  const CostModel cost(never_falling(problem.cost().regimes()), problem.cost().line());
  std::vector<std::vector<std::size_t>> starts = {
      {problem.tensors()}, window_plan(MergeProblem(profile, cost)).ends(), std::move(each)};
  auto& best = *std::min_element(starts.begin(), starts.end(), [&](const auto& left, const auto& right) {
    return problem.finish(left) < problem.finish(right);
  });
  descend(problem, best);
  return MergePlan(std::move(best));
}

}  // namespace mgbench

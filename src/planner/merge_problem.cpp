#include "planner/merge_problem.h"

namespace mgbench {

MergeProblem::MergeProblem(const Profile& profile, const CostModel& cost)
    : ready_{0}, offsets_{0}, computation_(profile.computation()), cost_(&cost) {
  for (const ReadyTensor& tensor : ready_tensors(profile)) {
    ready_.push_back(tensor.ready);
    offsets_.push_back(offsets_.back() + tensor.bytes);
  }
}

Seconds MergeProblem::finish(const std::vector<std::size_t>& ends) const {
  Progress progress;
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    progress = after(progress, begin, end);
    begin = end;
  }
  return finish(progress);
}

}  // namespace mgbench

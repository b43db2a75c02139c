#include "planner/merge_plan.h"

#include <utility>

#include "base/error.h"

namespace mgbench {

MergePlan::MergePlan(std::vector<std::size_t> ends) : ends_(std::move(ends)) {
  require(!ends_.empty(), "merge plan: no groups; expected at least one");
  require(ends_.front() > 0, "merge plan: group 0 is empty; expected its end above 0");
  for (std::size_t group = 1; group < ends_.size(); ++group)
    require(ends_[group] > ends_[group - 1], "merge plan: group {} ends at {} after {}; expected increasing ends",
            group, ends_[group], ends_[group - 1]);
}

Schedule make_schedule(const Profile& profile, const MergePlan& plan) {
  const std::vector<ReadyTensor> tensors = ready_tensors(profile);
  require(plan.tensors() == tensors.size(), "merge plan: made for {} tensors, but the profile of '{}' has {}",
          plan.tensors(), profile.model, tensors.size());
  Schedule schedule;
  schedule.reserve(plan.groups());
  Bytes offset = 0;
  std::size_t tensor = 0;
  for (const std::size_t end : plan.ends()) {
    Message message;
    message.arena.begin = offset;
    for (; tensor < end; ++tensor) offset += tensors[tensor].bytes;
    message.arena.end = offset;
    message.released_by = tensors[end - 1].step;
    schedule.push_back(message);
  }
  return schedule;
}

}  // namespace mgbench

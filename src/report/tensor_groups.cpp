#include "report/tensor_groups.h"

#include "base/error.h"

namespace mgbench {

std::vector<std::vector<Tensor>> tensor_groups(const Profile& profile, const MergePlan& plan) {
  std::vector<Tensor> tensors;  // in ready order: the order that a plan cuts
  for (auto step = profile.steps.rbegin(); step != profile.steps.rend(); ++step)
    tensors.insert(tensors.end(), step->tensors.begin(), step->tensors.end());
  require(plan.tensors() == tensors.size(), "a plan of {} tensors does not fit a profile of {}", plan.tensors(),
          tensors.size());
  std::vector<std::vector<Tensor>> groups;
  std::size_t begin = 0;
  for (const std::size_t end : plan.ends()) {
    groups.emplace_back(tensors.begin() + static_cast<std::ptrdiff_t>(begin),
                        tensors.begin() + static_cast<std::ptrdiff_t>(end));
    begin = end;
  }
  return groups;
}

Bytes total_bytes(const std::vector<Tensor>& tensors) {
  Bytes sum = 0;
  for (const Tensor& tensor : tensors) sum += tensor.bytes;
  return sum;
}

}  // namespace mgbench

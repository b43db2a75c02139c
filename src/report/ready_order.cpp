#include "report/ready_order.h"

#include <algorithm>

namespace mgbench {

Profile profile_in_forward_order(const std::vector<ReadyGradient>& gradients, Seconds forward) {
  Profile profile{.model = "imported", .backend = "imported", .ranks = 1, .batch = 0, .steps = {}, .update = 0};
  for (const ReadyGradient& gradient : gradients) {
    if (profile.steps.empty() || gradient.backward > 0)
      profile.steps.push_back({.name = gradient.name, .forward = 0, .backward = gradient.backward, .tensors = {}});
    profile.steps.back().forward += gradient.forward;
    profile.steps.back().tensors.push_back({gradient.name, gradient.bytes});
  }
  std::reverse(profile.steps.begin(), profile.steps.end());
  if (!profile.steps.empty()) profile.steps.front().forward += forward;
  return profile;
}

}  // namespace mgbench

#pragma once

#include <string>
#include <vector>

#include "planner/profile.h"

namespace mgbench {

/// A gradient as sources tell of it that know the order of backward alone.
struct ReadyGradient {
  std::string name;
  Bytes bytes = 0;
  Seconds backward = 0;  ///< since the gradient before it was ready; 0 after the first one: ready together with it
  Seconds forward = 0;   ///< of the layer, where the source tells it
};

/// Steps in forward order from gradients in ready order: those that are ready together make one step, named after the
/// first of them. `forward` beyond what the gradients tell is put into the first step.
Profile profile_in_forward_order(const std::vector<ReadyGradient>& gradients, Seconds forward);

}  // namespace mgbench

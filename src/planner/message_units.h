#pragma once

#include "planner/profile.h"

namespace mgbench {

/// The tensors of each step as one: the paper sends layers, not tensors.
Profile by_layers(const Profile& profile);

/// Tensors above `most` bytes (at least 4) cut into parts of at most that, in order, ready together.
Profile split_tensors(const Profile& profile, Bytes most);

}  // namespace mgbench

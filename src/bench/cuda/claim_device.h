#pragma once

#include "bench/gpu/choose_device.h"

namespace mgbench::cuda {

/// Chooses this process's device of those that it sees, by their PCI bus ids; a later call returns the same.
/// Collective. Throws Error(bad_input) on all ranks where there are too few, or where two ranks would share one.
const RankDevice& claim_device(ProcessGroup& group);

int visible_devices();

/// The index of this process's device; 0 until one is claimed or taken.
int claimed_device();
void take_device(int device);

}  // namespace mgbench::cuda

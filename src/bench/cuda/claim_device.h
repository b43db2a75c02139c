#pragma once

#include "bench/mpi/process_group.h"

namespace mgbench::cuda {

/// Each rank takes the device of its place among the ranks of its host, or the only one that it sees. Collective.
/// Throws Error(bad_input) on all ranks where there are too few, or where two ranks would share one.
void claim_device(ProcessGroup& group);

int visible_devices();

/// The index of this process's device; 0 until one is claimed or taken.
int claimed_device();
void take_device(int device);

}  // namespace mgbench::cuda

#pragma once

namespace mgbench {

/// Asks the kernel for short time slices for the calling thread: when it wakes, it then takes the core from a thread
/// that computes at once, instead of a tick of some milliseconds later once in a hundred times. Needs no privilege.
/// Kernels before Linux 6.12 ignore it.
void take_short_slices();

}  // namespace mgbench

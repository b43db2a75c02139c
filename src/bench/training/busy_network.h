#pragma once

#include <memory>

#include "bench/network.h"

namespace mgbench {

struct BusyWork {
  Bytes gradients = 0;   ///< of one tensor, complete after the first of the backward steps
  int steps = 1;         ///< backward steps of equal length
  int threads = 1;       ///< that compute
  Seconds duration = 0;  ///< of the backward pass, when nothing disturbs it; the work is measured once, at construction
};

/// Stands in for a model where there is none: a backward pass of plain arithmetic, always the same amount of it, so
/// that whatever takes the core makes it longer. Nothing is learnt: no forward, no update, no parameters.
std::unique_ptr<Network> make_busy_network(const BusyWork& work);

}  // namespace mgbench

#pragma once

#include <cstddef>

#include "bench/network.h"
#include "planner/timeline.h"

namespace mgbench {

/// How one message gets to the other ranks and back. Called by one helper thread, for one message at a time.
class Carrier {
 public:
  virtual ~Carrier() = default;

  /// No message is in flight; called from the main thread.
  virtual void prepare() {}

  /// Sums `gradients` over all ranks in place; returns when the sum is there. `times.start` holds the time of
  /// the call, and may be replaced by a better-known start.
  virtual void carry(const GradientView& gradients, MessageTimes& times) = 0;

  virtual bool moves_data() const { return true; }
  /// See Communicator::overruns(). Called when no message is in flight.
  virtual std::size_t overruns() const { return 0; }
};

}  // namespace mgbench

#pragma once

#include <cstddef>

#include "bench/network.h"
#include "planner/timeline.h"

namespace mgbench {

/// How one message gets to the other ranks and back. Messages are submitted by the main thread and carried by one
/// helper thread, one at a time, in the order of submission.
class Carrier {
 public:
  virtual ~Carrier() = default;

  /// Whose gradients it takes.
  virtual MemorySpace space() const { return MemorySpace::host; }
  virtual bool takes(ElementType type) const { return type == ElementType::float32; }

  /// Makes room for so many messages. No message is in flight; called from the main thread.
  virtual void prepare(std::size_t) {}

  /// A message has been submitted, whose gradients are complete after `ready`. Called from the main thread; waits for
  /// nothing and allocates nothing.
  virtual void submit(const Message&, const GradientView&, const Event& /*ready*/) {}

  /// Sums `gradients` over all ranks in place; returns when the sum is there, or on a device when all is enqueued that
  /// brings it there. `times.start` holds the time of the call, and may be replaced by a better-known start.
  virtual void carry(const GradientView& gradients, MessageTimes& times) = 0;

  /// The event after which all that was carried is there. Called when no message is in flight.
  virtual Event carried() const { return {}; }

  /// Replaces what a device knows better of a carried message's times: that with this index since prepare(), `previous`
  /// being those of the one before. Called from the main thread once the device has reached carried().
  virtual void refine(std::size_t /*message*/, const MessageTimes& /*previous*/, MessageTimes&) const {}

  virtual bool moves_data() const { return true; }
  /// See Communicator::overruns(). Called when no message is in flight.
  virtual std::size_t overruns() const { return 0; }
};

}  // namespace mgbench

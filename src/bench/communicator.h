#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/registry.h"
#include "bench/clock.h"
#include "bench/mpi/process_group.h"
#include "bench/network.h"
#include "planner/cost_model.h"
#include "planner/merge_plan.h"
#include "planner/timeline.h"

namespace mgbench {

/// The data plane: sums gradients over all ranks, in place, in the background. One message at a time, in the
/// order of submission, which is the same on every rank.
class Communicator {
 public:
  virtual ~Communicator() = default;

  /// Forgets the spans and makes room for `messages` of them. Outside the timed region; no message is in
  /// flight.
  virtual void prepare(std::size_t messages) = 0;

  /// Submits a message; `ready` is the event after which the gradients are complete. Allocates nothing.
  virtual void start(const Message& message, const GradientView& gradients, const Event& ready) = 0;

  /// Lets communication progress where it needs the calling thread. Cheap.
  virtual void poll() {}

  /// Returns when all messages have ended (on a device: the event after which they have). Rethrows what
  /// failed in the background.
  virtual Event join() = 0;

  /// For each message since prepare(), in order: submitted (ready), started, its end noticed. On the clock of
  /// Network::seconds(). Of gradients in a device's memory only once the device has reached join()'s event.
  virtual std::span<const MessageTimes> spans() const = 0;

  /// Whether sums really arrive (an emulation may only take the time).
  virtual bool moves_data() const { return true; }

  /// Messages since prepare() whose times cannot be trusted (an emulated end that was overslept). Their
  /// iteration is rejected.
  virtual std::size_t overruns() const { return 0; }
};

/// Where a network's gradients lie.
struct GradientArena {
  Bytes bytes = 0;
  ElementType type = ElementType::float32;
  Device* device = nullptr;  ///< in whose memory; null: in the host's

  MemorySpace space() const { return device == nullptr ? MemorySpace::host : MemorySpace::device; }
};

/// Of `network`, whose backend's device is `device`.
GradientArena gradient_arena(Network& network, Device* device);

struct CommunicatorRequest {
  ProcessGroup* group = nullptr;             ///< never null
  Clock* clock = nullptr;                    ///< never null
  const CostModel* emulated_cost = nullptr;  ///< for `emulated`
  bool emulated_moves_data = false;          ///< `emulated` sums through the communicator that it wraps
  Device* device = nullptr;                  ///< in whose memory gradients lie; null: in the host's
  ElementType type = ElementType::float32;   ///< of gradients
  Bytes arena = 0;                           ///< where the last message's gradients end, for those that keep a copy
};

class StreamAllreduce;

struct CommunicatorEntry {
  std::string name;
  std::string summary;
  std::string explanation;  ///< for `mgbench help`: when an end is noticed, what that costs, when it is best
  /// Why it cannot be used here; empty when it can.
  std::function<std::string()> unavailable;
  /// Collective over the group. Throws Error when MPI gives less than the thread level needed.
  std::function<std::unique_ptr<Communicator>(const CommunicatorRequest&)> make;
  bool emulates = false;  ///< takes the time of another interconnect
  bool host = true;       ///< carries gradients of the host's memory
  bool device = false;    ///< carries gradients of a device's memory
  bool halves = false;    ///< sums float16 and bfloat16, too
  bool captures = false;  ///< its messages can be captured in a graph: the host takes no part in them
  /// The allreduce that it enqueues, for calls without an engine. Empty: MPI_Allreduce in the host's memory.
  /// Collective.
  std::function<std::unique_ptr<StreamAllreduce>(ProcessGroup&)> library = {};
  /// What its library says of how it sums such gradients, for a result's environment, on rank 0. Empty: nothing.
  /// Collective.
  std::function<std::map<std::string, std::string>(ProcessGroup&, const GradientArena&)> facts = {};
};

/// Why `entry` does not carry gradients of this type in this memory; empty when it does.
std::string misfit(const CommunicatorEntry& entry, MemorySpace space, ElementType type);

/// The one for iterations that are captured.
const CommunicatorEntry& capturing_communicator();

/// Those that carry such gradients and do not emulate, be they available or not.
std::vector<const CommunicatorEntry*> fitting_communicators(MemorySpace space, ElementType type);

/// In the order in which `--communicator auto` prefers those that are equally fast.
Registry<CommunicatorEntry>& communicators();

}  // namespace mgbench

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/registry.h"
#include "base/units.h"
#include "bench/clock.h"
#include "models/model.h"
#include "planner/profile.h"

namespace mgbench {

enum class ElementType { float32, float16, bfloat16 };
enum class MemorySpace { host, device };

/// "float16", ...
const char* name_of(ElementType type);

constexpr Bytes size_of(ElementType type) {
  return type == ElementType::float32 ? 4 : 2;
}

/// What layers compute in. Parameters and momentum are single precision always; `tf32` rounds the factors of products
/// to ten bits, `fp16` and `bf16` keep activations in half the size.
enum class Precision { fp32, tf32, fp16, bf16 };

/// Of activations [batch, channels, height, width]: whether a pixel's channels lie apart (NCHW) or side by side (NHWC).
enum class Layout { channels_first, channels_last };

/// A span of the gradient arena, to be reduced in place.
struct GradientView {
  void* data = nullptr;
  std::size_t count = 0;
  ElementType type = ElementType::float32;
  MemorySpace space = MemorySpace::host;
};

/// A point in a device's queue that other queues can wait for. Empty on a CPU, where calls complete before
/// they return.
struct Event {
  std::uint64_t id = 0;
};

/// Work of a device that was captured, to be enqueued as a whole as often as wanted.
class Graph {
 public:
  virtual ~Graph() = default;
  /// Enqueues it where it was captured: after what is enqueued there, and before what comes. The events recorded in it
  /// have the times of the latest launch, to be read when that has been waited for.
  virtual void launch() = 0;
};

/// A point in time in the network's queue; seconds() reads it after synchronize().
struct Mark {
  std::int64_t value = 0;
};

/// All that two iterations must share to compute the same: parameters, momentum, and the iteration's number,
/// which (with seed and rank) determines dropout masks. In the network's own layout.
struct NetworkState {
  std::vector<float> parameters;
  std::vector<float> momentum;
  std::uint64_t iteration = 0;
};

/// A model made runnable on a device: one rank's replica. Steps are those of execution_order(). Calls of the
/// first group may only enqueue; they complete in order. They allocate nothing.
class Network {
 public:
  virtual ~Network() = default;

  virtual void forward(std::size_t step) = 0;
  virtual void backward(std::size_t step) = 0;
  /// v = momentum v + (gradient / ranks + decay w); w = w - rate v. Also ends the iteration (the next one
  /// draws new masks).
  virtual void update() = 0;
  /// A slice of ONE arena laid out in ready order: merging copies nothing.
  virtual GradientView gradients(ByteRange range) = 0;
  virtual Event record() { return {}; }
  virtual void wait(const Event&) {}
  virtual Mark mark() = 0;
  virtual void synchronize() {}
  /// What `enqueue` enqueues, captured instead of run: calls of this group without synchronize(), and work of other
  /// queues that waits for record() and that wait() waits for. Of networks on a device.
  virtual std::unique_ptr<Graph> capture(const std::function<void()>& enqueue);

  /// The time of a mark on the clock of the communicators' spans. After synchronize().
  virtual Seconds seconds(Mark mark) const = 0;

  /// Steps with their tensors; all times zero.
  virtual const Profile& outline() const = 0;
  std::size_t steps() const { return outline().steps.size(); }

  /// Sum of the weighted losses of the last forward pass (mean over this rank's batch).
  virtual double loss() const = 0;

  virtual NetworkState save() const = 0;
  virtual void restore(const NetworkState& state) = 0;

  /// Parameters and gradients in the arena's order, each tensor in its logical plain layout.
  virtual std::vector<float> plain_parameters() const = 0;
  virtual void set_plain_parameters(std::span<const float> values) = 0;
  virtual std::vector<float> plain_gradients() const = 0;

  /// The gradients in the arena's own layout, and their replacement. Outside the timed region; complete on return.
  virtual std::vector<float> stored_gradients();
  virtual void store_gradients(std::span<const float> values);
};

struct SgdOptions {
  float learning_rate = 0.001F;  ///< low: small batches without warm-up must not diverge (AlexNet does at 0.01)
  float momentum = 0.9F;
  float weight_decay = 5e-4F;
};

struct NetworkRequest {
  const ModelSpec* model = nullptr;  ///< for backends that compute
  const Profile* profile = nullptr;  ///< for `replay`
  int batch = 1;                     ///< images a rank
  std::uint64_t seed = 1;            ///< parameters are drawn from it alone; data and masks from it and the rank
  int rank = 0;
  int ranks = 1;  ///< gradients arrive summed over these, the update averages
  int threads = 1;
  SgdOptions sgd;
  Precision precision = Precision::fp32;
  ElementType gradients = ElementType::float32;  ///< of the arena, and so of messages
  Layout layout = Layout::channels_first;        ///< for backends that have `layouts`
  Clock* clock = nullptr;                        ///< never null
};

class Device;
class ProcessGroup;
struct RankDevice;

struct BackendEntry {
  std::string name;
  std::string summary;
  std::string explanation;  ///< for `mgbench help`: what it is for
  /// What computes, with its version ("oneDNN 2.6.3"). A function, since asking a GPU's libraries loads them.
  std::function<std::string()> library;
  /// Why it cannot be used here ("no NVIDIA driver"); empty when it can.
  std::function<std::string()> unavailable;
  /// Memory of one rank's replica, for the check before the run.
  std::function<Bytes(const NetworkRequest&)> memory;
  /// Throws Error when the request does not fit the backend (replay without a profile, a batch of 0).
  std::function<std::unique_ptr<Network>(const NetworkRequest&)> make;
  /// Where gradients lie, while it can be used; empty for backends whose gradients lie in the host's memory.
  std::function<Device&()> device = {};
  /// Gives each rank a device of its own, before make(); a later call returns the same. Collective. Of backends with a
  /// device.
  std::function<RankDevice(ProcessGroup&)> claim_device = {};
  std::vector<Precision> precisions = {Precision::fp32};  ///< that it computes in
  std::vector<Layout> layouts = {};                       ///< that a request may choose of; empty: it has its own
  bool captures = false;                                  ///< its networks can capture()
};

Registry<BackendEntry>& backends();

}  // namespace mgbench

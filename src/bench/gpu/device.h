#pragma once

#include <array>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "base/units.h"
#include "bench/network.h"

namespace mgbench {

/// A queue of a device: what is enqueued runs in order, beside other streams.
struct Stream {
  std::size_t id = 0;
};

/// What engine and communicators need of an accelerator beside its layers: streams, events and memory, and no kernel.
/// One a process. Safe to call from several threads. Calls that fail throw Error(not_measured).
class Device {
 public:
  virtual ~Device() = default;

  /// Lives as long as the device. Waiting work of an `urgent` one goes before that of others.
  virtual Stream make_stream(bool urgent) = 0;

  /// A point in `stream`, reached once all that was enqueued before has run. Only some ten thousand of the latest
  /// events are kept.
  virtual Event record(Stream stream) = 0;
  /// What is enqueued from now on runs after `event`; an empty one has always been reached.
  virtual void wait(Stream stream, const Event& event) = 0;
  /// Returns once `event` is reached.
  virtual void synchronize(const Event& event) = 0;
  /// When a reached event was, on the clock of steady_clock().
  virtual Seconds seconds(const Event& event) const = 0;

  /// What `enqueue` enqueues on `stream`, and on streams that wait for events recorded meanwhile, captured instead of
  /// run; `stream` has to wait for all of them in the end. Nothing in it waits for what is outside, and events recorded
  /// in it are waited for in it alone. Only this thread records events meanwhile.
  virtual std::unique_ptr<Graph> capture(Stream stream, const std::function<void()>& enqueue) = 0;

  /// Of the device, and of the host where the device can copy from and to while the host computes.
  virtual std::shared_ptr<void> allocate(Bytes bytes) = 0;
  virtual std::shared_ptr<void> allocate_host(Bytes bytes) = 0;
  /// Enqueues a copy between such memories, in either direction.
  virtual void copy(Stream stream, void* to, const void* from, Bytes bytes) = 0;

  /// Asked now and then while synchronize() waits, as long as what is returned lives; throws Error where what is waited
  /// for will not come.
  virtual std::shared_ptr<void> watch(std::function<void()> health) = 0;

 private:
  friend class OwnStream;
  std::mutex idle_mutex_;                            ///< guards
  std::array<std::vector<Stream>, 2> idle_streams_;  ///< given back, the urgent ones second
};

}  // namespace mgbench

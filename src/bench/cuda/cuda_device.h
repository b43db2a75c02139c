#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstdint>
#include <mutex>
#include <vector>

#include "bench/gpu/device.h"

namespace mgbench::cuda {

/// The GPU of this process.
///
/// Events come from a ring, made beforehand: recording allocates nothing. They are timed against anchors, events whose
/// time on the host's clock is known to some microseconds; a new anchor every half second keeps the two clocks together
/// and milliseconds in single precision, in which CUDA tells differences, exact. Events recorded in graphs are of
/// another range, the graph's as long as it lives, and timed against the anchor of the launch.
class CudaDevice final : public Device {
 public:
  /// On device `index` of those that this process sees.
  explicit CudaDevice(int index);
  ~CudaDevice() override = default;  // everything lives until the process ends: the runtime may be gone before

  Stream make_stream(bool urgent) override;
  Event record(Stream stream) override;
  void wait(Stream stream, const Event& event) override;
  void synchronize(const Event& event) override;
  Seconds seconds(const Event& event) const override;
  std::unique_ptr<Graph> capture(Stream stream, const std::function<void()>& enqueue) override;
  std::shared_ptr<void> allocate(Bytes bytes) override;
  std::shared_ptr<void> allocate_host(Bytes bytes) override;
  void copy(Stream stream, void* to, const void* from, Bytes bytes) override;
  std::shared_ptr<void> watch(std::function<void()> health) override;

  cudaStream_t handle(Stream stream) const { return streams_[stream.id]; }
  Bytes free_memory() const;

 private:
  static constexpr std::size_t kEvents = std::size_t{1} << 15;
  static constexpr std::size_t kAnchors = 64;
  static constexpr std::uint64_t kCaptured = std::uint64_t{1} << 62;  ///< in the ids of events recorded in graphs

  struct Anchor {
    cudaEvent_t event = nullptr;
    Seconds seconds = 0;  ///< on the host's clock
  };

  class CapturedGraph;

  /// One that is recorded in a graph.
  struct CapturedEvent {
    cudaEvent_t order = nullptr;  ///< that streams within the graph wait for
    cudaEvent_t time = nullptr;   ///< a node, which each launch records
    std::uint64_t anchor = 0;     ///< of the latest launch
  };

  static bool is_captured(const Event& event) { return (event.id & kCaptured) != 0; }
  void use() const;  ///< CUDA's current device is a thread's own
  std::size_t slot(const Event& event) const;
  Event record_captured(cudaStream_t stream);
  const CapturedEvent& captured(const Event& event) const;
  void set_anchor();

  int index_;
  std::array<cudaStream_t, 16> streams_{};
  std::size_t stream_count_ = 0;
  mutable std::mutex mutex_;  ///< of what follows
  std::vector<cudaEvent_t> events_;
  std::vector<std::uint64_t> anchor_of_;  ///< by slot
  std::uint64_t recorded_ = 0;
  std::vector<CapturedEvent> captured_;
  std::vector<std::size_t> idle_captured_;  ///< left by graphs that are gone
  CapturedGraph* capturing_ = nullptr;      ///< right now
  std::array<Anchor, kAnchors> anchors_;
  std::uint64_t anchor_ = 0;                                  ///< the latest
  std::vector<std::weak_ptr<std::function<void()>>> health_;  ///< of the main thread
};

}  // namespace mgbench::cuda

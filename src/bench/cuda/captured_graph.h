#pragma once

#include <vector>

#include "bench/cuda/cuda_device.h"

namespace mgbench::cuda {

/// A graph of CUDA's with the events that are recorded in it, which go back to the device at its end.
class CudaDevice::CapturedGraph final : public Graph {
 public:
  /// Captures what `enqueue` enqueues.
  CapturedGraph(CudaDevice& device, cudaStream_t stream, const std::function<void()>& enqueue);
  /// Where an exception is on its way what was launched may never end: the graph is left behind.
  ~CapturedGraph() override;
  CapturedGraph(const CapturedGraph&) = delete;
  CapturedGraph& operator=(const CapturedGraph&) = delete;

  void launch() override;

  /// The index of an event among the device's.
  void add_event(std::size_t index) { events_.push_back(index); }

 private:
  CudaDevice& device_;
  cudaStream_t stream_;
  cudaGraphExec_t instance_ = nullptr;
  std::vector<std::size_t> events_;
  int exceptions_;  ///< in flight at construction
};

}  // namespace mgbench::cuda

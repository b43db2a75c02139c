#include "bench/cuda/captured_graph.h"

#include <exception>

#include "bench/cuda/check.h"

namespace mgbench::cuda {

CudaDevice::CapturedGraph::CapturedGraph(CudaDevice& device, cudaStream_t stream, const std::function<void()>& enqueue)
    : device_(device), stream_(stream), exceptions_(std::uncaught_exceptions()) {
  require(device.capturing_ == nullptr, "a capture within a capture");
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  device.capturing_ = this;
  try {
    enqueue();
  } catch (...) {
    device.capturing_ = nullptr;
    cudaGraph_t part = nullptr;
    if (cudaStreamEndCapture(stream, &part) == cudaSuccess) cudaGraphDestroy(part);
    throw;
  }
  device.capturing_ = nullptr;
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
  const cudaError_t status = cudaGraphInstantiate(&instance_, graph, 0);
  cudaGraphDestroy(graph);
  check(status, "cudaGraphInstantiate");
}

CudaDevice::CapturedGraph::~CapturedGraph() {
  if (std::uncaught_exceptions() > exceptions_) return;
  cudaGraphExecDestroy(instance_);
  const std::scoped_lock lock(device_.mutex_);
  device_.idle_captured_.insert(device_.idle_captured_.end(), events_.begin(), events_.end());
}

void CudaDevice::CapturedGraph::launch() {
  device_.use();
  {
    const std::scoped_lock lock(device_.mutex_);
    for (const std::size_t event : events_) device_.captured_[event].anchor = device_.anchor_;
  }
  check(cudaGraphLaunch(instance_, stream_), "cudaGraphLaunch");
}

std::unique_ptr<Graph> CudaDevice::capture(Stream stream, const std::function<void()>& enqueue) {
  use();
  return std::make_unique<CapturedGraph>(*this, handle(stream), enqueue);
}

/// The node goes first, so that who waits for the event has waited for the node, too: nothing may be left unjoined.
Event CudaDevice::record_captured(cudaStream_t stream) {
  if (idle_captured_.empty()) {
    CapturedEvent made;
    check(cudaEventCreateWithFlags(&made.order, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    check(cudaEventCreate(&made.time), "cudaEventCreate");
    idle_captured_.push_back(captured_.size());
    captured_.push_back(made);
  }
  const std::size_t index = idle_captured_.back();
  idle_captured_.pop_back();
  capturing_->add_event(index);
  const CapturedEvent& event = captured_[index];
  check(cudaEventRecordWithFlags(event.time, stream, cudaEventRecordExternal), "cudaEventRecordWithFlags");
  check(cudaEventRecord(event.order, stream), "cudaEventRecord");
  return {kCaptured | (index + 1)};
}

const CudaDevice::CapturedEvent& CudaDevice::captured(const Event& event) const {
  return captured_.at((event.id & ~kCaptured) - 1);
}

}  // namespace mgbench::cuda

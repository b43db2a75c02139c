// Captures, and graphs of what was captured.
#include <set>

#include "cudart/call.h"

/// The runtime's opaque types.
struct CUgraph_st {
  std::shared_ptr<const stand_in::Graph> graph;
};

struct CUgraphExec_st {
  std::shared_ptr<const stand_in::Graph> graph;
};

namespace stand_in {

namespace {

template <class Handle>
std::set<Handle>& all() {
  static auto* handles = new std::set<Handle>;
  return *handles;
}

template <class Handle>
Handle checked(Handle handle) {
  require(all<Handle>().count(handle) == 1, cudaErrorInvalidValue, "no such graph");
  return handle;
}

template <class Handle>
void destroy(Handle handle) {
  all<Handle>().erase(checked(handle));
  delete handle;
}

/// Whether every node goes before the origin's end.
bool is_joined(const Capture& capture) {
  const auto& nodes = capture.graph.nodes;
  std::vector<char> joined(nodes.size());
  for (const std::size_t node : capture.origin->front) joined[node] = 1;
  for (std::size_t i = nodes.size(); i-- > 0;) {
    if (joined[i] == 0) return false;
    for (const std::size_t node : nodes[i].after) joined[node] = 1;
  }
  return true;
}

}  // namespace

}  // namespace stand_in

using namespace stand_in;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  return call(__func__, [&] {
    Stream& stream = stream_of(handle);
    require(!stream.is_default, cudaErrorStreamCaptureUnsupported, "the default stream cannot be captured");
    require(stream.capture == nullptr, cudaErrorIllegalState, "the stream is captured already");
    require(mode >= cudaStreamCaptureModeGlobal && mode <= cudaStreamCaptureModeRelaxed, cudaErrorInvalidValue,
            "no such mode");
    scheduler().begin(stream, mode == cudaStreamCaptureModeGlobal        ? CaptureMode::kGlobal
                              : mode == cudaStreamCaptureModeThreadLocal ? CaptureMode::kThreadLocal
                                                                         : CaptureMode::kRelaxed);
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  return call(__func__, [&] {
    require(status != nullptr, cudaErrorInvalidValue, "pCaptureStatus is null");
    const Stream& stream = stream_of(handle);
    *status = stream.capture == nullptr ? cudaStreamCaptureStatusNone
              : stream.capture->invalid ? cudaStreamCaptureStatusInvalidated
                                        : cudaStreamCaptureStatusActive;
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
  return call(__func__, [&] {
    require(graph != nullptr, cudaErrorInvalidValue, "pGraph is null");
    *graph = nullptr;
    Stream& stream = stream_of(handle);
    require(stream.capture != nullptr && stream.capture->origin == &stream, cudaErrorStreamCaptureUnmatched,
            "no capture began at the stream");
    require(stream.capture->mode == CaptureMode::kRelaxed || stream.capture->thread == std::this_thread::get_id(),
            cudaErrorStreamCaptureWrongThread, "another thread began the capture");
    const auto capture = scheduler().end(stream);
    require(!capture->invalid, cudaErrorStreamCaptureInvalidated, "a call that is not permitted spoilt the capture");
    require(is_joined(*capture), cudaErrorStreamCaptureUnjoined, "the stream has not waited for all others");
    *graph = new CUgraph_st{std::make_shared<const Graph>(std::move(capture->graph))};
    all<cudaGraph_t>().insert(*graph);
  });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* instance, cudaGraph_t graph, unsigned long long flags) {
  return call(__func__, [&] {
    require(instance != nullptr, cudaErrorInvalidValue, "pGraphExec is null");
    require(flags == 0, cudaErrorNotSupported, "flags " + std::to_string(flags));
    *instance = new CUgraphExec_st{checked(graph)->graph};
    all<cudaGraphExec_t>().insert(*instance);
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t instance, cudaStream_t handle) {
  return call(__func__, [&] {
    Stream& stream = stream_of(handle);
    const auto graph = checked(instance)->graph;
    require(stream.capture == nullptr, cudaErrorNotSupported, "a graph within a capture");
    scheduler().launch(*graph, stream);
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return call(__func__, [&] { destroy(graph); });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t instance) {
  return call(__func__, [&] { destroy(instance); });
}

}  // extern "C"

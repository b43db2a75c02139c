// Captures of one stream, and graphs of what was captured: the same operations once more, in the same order.
#include <set>

#include "cudart/call.h"

/// The runtime's opaque types.
struct CUgraph_st {
  std::vector<stand_in::Operation> operations;
};

struct CUgraphExec_st {
  std::vector<stand_in::Operation> operations;
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
    stream.capture =
        std::make_unique<Capture>(Capture{mode == cudaStreamCaptureModeRelaxed, std::this_thread::get_id()});
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
    require(stream.capture != nullptr, cudaErrorStreamCaptureUnmatched, "the stream is not captured");
    require(stream.capture->relaxed || stream.capture->thread == std::this_thread::get_id(),
            cudaErrorStreamCaptureWrongThread, "another thread began the capture");
    const auto capture = std::move(stream.capture);
    require(!capture->invalid, cudaErrorStreamCaptureInvalidated, "a call that is not permitted spoilt the capture");
    *graph = new CUgraph_st{std::move(capture->operations)};
    all<cudaGraph_t>().insert(*graph);
  });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* instance, cudaGraph_t graph, unsigned long long flags) {
  return call(__func__, [&] {
    require(instance != nullptr, cudaErrorInvalidValue, "pGraphExec is null");
    require(flags == 0, cudaErrorNotSupported, "flags " + std::to_string(flags));
    *instance = new CUgraphExec_st{checked(graph)->operations};
    all<cudaGraphExec_t>().insert(*instance);
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t instance, cudaStream_t handle) {
  return call(__func__, [&] {
    Stream& stream = stream_of(handle);
    for (const Operation& operation : checked(instance)->operations) scheduler().enqueue(stream, operation);
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return call(__func__, [&] { destroy(graph); });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t instance) {
  return call(__func__, [&] { destroy(instance); });
}

}  // extern "C"

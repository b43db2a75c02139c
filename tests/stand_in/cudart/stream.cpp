// Streams and functions of the host in them.
#include <algorithm>

#include "cudart/call.h"

namespace stand_in {

namespace {

constexpr int kGreatestPriority = -5;  // the smaller the number, the sooner; 0 is the least

void create(cudaStream_t* stream, unsigned int flags, int priority) {
  require(stream != nullptr, cudaErrorInvalidValue, "pStream is null");
  require(flags == cudaStreamDefault || flags == cudaStreamNonBlocking, cudaErrorInvalidValue,
          "flags " + std::to_string(flags));
  *stream = scheduler().create(flags == cudaStreamDefault, std::clamp(priority, kGreatestPriority, 0));
}

void require_no_capture_of(Stream& stream) {
  if (stream.capture == nullptr) return;
  stream.capture->invalid = true;
  throw Refusal<cudaError_t>{cudaErrorStreamCaptureUnsupported, "the stream is captured"};
}

}  // namespace

}  // namespace stand_in

using namespace stand_in;

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return call(__func__, [&] { create(stream, cudaStreamDefault, 0); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return call(__func__, [&] { create(stream, flags, 0); });
}

// Priorities out of range are clamped, as documented.
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  return call(__func__, [&] { create(stream, flags, priority); });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return call(__func__, [&] {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = kGreatestPriority;
  });
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  return call(__func__, [&] {
    Stream& stream = stream_of(handle);
    require(!stream.is_default, cudaErrorInvalidResourceHandle, "the default stream cannot be destroyed");
    scheduler().destroy(stream);
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  return call(__func__, [&] {
    Stream& stream = stream_of(handle);
    require_no_capture_of(stream);
    scheduler().synchronize(stream);
  });
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
  return call(__func__, [&] {
    Stream& stream = stream_of(handle);
    require_no_capture_of(stream);
    scheduler().advance(stream);
    require(stream.queue.empty(), cudaErrorNotReady, "");
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* data) {
  return call(__func__, [&] {
    Stream& stream = stream_of(handle);
    require(function != nullptr, cudaErrorInvalidValue, "fn is null");
    scheduler().enqueue(stream, Operation{[=] { function(data); }, {}, true, true});
  });
}

}  // extern "C"

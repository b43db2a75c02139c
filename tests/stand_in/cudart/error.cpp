// Names and words of errors, and the last one of a thread.
#include <algorithm>
#include <array>
#include <utility>

#include "cudart/call.h"

namespace stand_in {

namespace {

struct Words {
  cudaError_t error;
  const char* name;
  const char* text;
};

constexpr std::array kWords{
    Words{cudaSuccess, "cudaSuccess", "no error"},
    Words{cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    Words{cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    Words{cudaErrorInvalidPitchValue, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    Words{cudaErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection", "invalid direction of a copy"},
    Words{cudaErrorInsufficientDriver, "cudaErrorInsufficientDriver", "the driver is too old for the runtime"},
    Words{cudaErrorNoDevice, "cudaErrorNoDevice", "no device"},
    Words{cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid ordinal of a device"},
    Words{cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid handle"},
    Words{cudaErrorNotReady, "cudaErrorNotReady", "not ready"},
    Words{cudaErrorNotPermitted, "cudaErrorNotPermitted", "not permitted"},
    Words{cudaErrorNotSupported, "cudaErrorNotSupported", "not supported"},
    Words{cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported", "not permitted in a captured stream"},
    Words{cudaErrorStreamCaptureInvalidated, "cudaErrorStreamCaptureInvalidated", "the capture was spoilt"},
    Words{cudaErrorStreamCaptureUnmatched, "cudaErrorStreamCaptureUnmatched", "the stream is not captured"},
    Words{cudaErrorStreamCaptureMerge, "cudaErrorStreamCaptureMerge", "would join two captures"},
    Words{cudaErrorStreamCaptureUnjoined, "cudaErrorStreamCaptureUnjoined", "a stream of the capture was not joined"},
    Words{cudaErrorStreamCaptureIsolation, "cudaErrorStreamCaptureIsolation",
          "depends on what is outside of a capture"},
    Words{cudaErrorStreamCaptureImplicit, "cudaErrorStreamCaptureImplicit", "depends on the default stream"},
    Words{cudaErrorCapturedEvent, "cudaErrorCapturedEvent", "not permitted for a captured event"},
    Words{cudaErrorStreamCaptureWrongThread, "cudaErrorStreamCaptureWrongThread", "captured by another thread"},
};

const Words* find(cudaError_t error) {
  const auto* found =
      std::find_if(kWords.begin(), kWords.end(), [&](const Words& words) { return words.error == error; });
  return found == kWords.end() ? nullptr : found;
}

}  // namespace

}  // namespace stand_in

using namespace stand_in;

extern "C" {

cudaError_t cudaGetLastError() {
  return std::exchange(last_error(), cudaSuccess);
}

cudaError_t cudaPeekAtLastError() {
  return last_error();
}

const char* cudaGetErrorName(cudaError_t error) {
  const Words* words = find(error);
  return words == nullptr ? "unrecognized error code" : words->name;
}

const char* cudaGetErrorString(cudaError_t error) {
  const Words* words = find(error);
  return words == nullptr ? "unrecognized error code" : words->text;
}

}  // extern "C"

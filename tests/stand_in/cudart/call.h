#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "core/context.h"
#include "core/refusal.h"
#include "core/scheduler.h"

namespace stand_in {

/// The calling thread's last error.
cudaError_t& last_error();

/// Throws unless there is a device and a driver that is new enough.
void require_device();

/// answer() for a question about devices: also the driver, the device, and the thread's last error.
template <class Body>
cudaError_t query(const char* function, Body body) {
  if (in_host_function()) {
    std::fprintf(stderr, "stand-in: %s: called from a function given to cudaLaunchHostFunc\n", function);
    return last_error() = cudaErrorNotPermitted;
  }
  const cudaError_t error = answer<cudaError_t>(function, [&] {
    require_device();
    body();
  });
  if (error != cudaSuccess) last_error() = error;
  return error;
}

/// query() for what needs the device's context, and makes it the thread's.
template <class Body>
cudaError_t call(const char* function, Body body) {
  return query(function, [&] {
    thread_context().current = true;
    body();
  });
}

/// The stream of a handle; throws cudaErrorInvalidResourceHandle, and cudaErrorStreamCaptureImplicit for the default
/// stream while one that orders itself with it is captured.
Stream& stream_of(cudaStream_t handle);

/// For calls that wait, allocate or free: throws, and spoils the capture, while a stream is captured in a mode that
/// forbids them.
void require_no_capture();

}  // namespace stand_in

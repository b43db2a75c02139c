#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "core/context.h"
#include "core/refusal.h"
#include "core/scheduler.h"

namespace stand_in {

/// What the runtime remembers for the calling thread.
struct ThreadState {
  cudaError_t last_error = cudaSuccess;
  int device = 0;
};
ThreadState& thread_state();

/// Throws unless there is a device and a driver that is new enough.
void require_device();

/// answer() for a question about devices: also the driver, the device, and the thread's last error.
template <class Body>
cudaError_t query(const char* function, Body body) {
  if (in_host_function()) {
    std::fprintf(stderr, "stand-in: %s: called from a function given to cudaLaunchHostFunc\n", function);
    return thread_state().last_error = cudaErrorNotPermitted;
  }
  const cudaError_t error = answer<cudaError_t>(function, [&] {
    require_device();
    body();
  });
  if (error != cudaSuccess) thread_state().last_error = error;
  return error;
}

/// query() for what needs the device's context, and makes it the thread's.
template <class Body>
cudaError_t call(const char* function, Body body) {
  return query(function, [&] {
    thread_has_context() = true;
    body();
  });
}

/// The stream of a handle; throws cudaErrorInvalidResourceHandle.
Stream& stream_of(cudaStream_t handle);

}  // namespace stand_in

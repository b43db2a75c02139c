// The library's handle, versions and words, and what all calls share.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <set>

#include "core/memory.h"
#include "core/scheduler.h"
#include "core/settings.h"
#include "cudnn/call.h"

struct cudnnContext {
  cudaStream_t stream = nullptr;
};

namespace stand_in {

namespace {

std::set<cudnnHandle_t>& handles() {
  static auto* all = new std::set<cudnnHandle_t>;
  return *all;
}

Stream& stream_of(cudnnHandle_t handle) {
  require_handle(handle);
  Stream* stream = scheduler().find(handle->stream);
  require(stream != nullptr, CUDNN_STATUS_EXECUTION_FAILED, "the handle's stream was destroyed");
  return *stream;
}

}  // namespace

void require_handle(cudnnHandle_t handle) {
  require_consistent(handles().count(handle) == 1, "no such handle");
}

void run(cudnnHandle_t handle, std::function<void()> operation) {
  scheduler().enqueue(stream_of(handle), std::move(operation));
}

void finish(cudnnHandle_t handle) {
  scheduler().synchronize(stream_of(handle));
}

float scalar(const void* value, const char* name) {
  require_consistent(value != nullptr, std::string(name) + " is null");
  require_consistent(memory().is_host(value), std::string(name) + " is not in host memory");
  return *static_cast<const float*>(value);
}

Blend blend(const void* alpha, const void* beta) {
  return {scalar(alpha, "alpha"), scalar(beta, "beta")};
}

void require_memory(const Tensor& tensor, const void* data, const char* name) {
  require_consistent(data != nullptr, std::string(name) + " is null");
  const std::size_t element = bytes_of(tensor.type);
  require_consistent(reinterpret_cast<std::uintptr_t>(data) % element == 0,
                     std::string(name) + " is not aligned to its elements");
  require(memory().reachable_by_device(data, tensor.footprint() * element), CUDNN_STATUS_EXECUTION_FAILED,
          std::string(name) + ", " + text(tensor) + ", is not within memory of the device");
}

}  // namespace stand_in

using namespace stand_in;

extern "C" {

size_t cudnnGetVersion() {
  return CUDNN_VERSION;
}

size_t cudnnGetCudartVersion() {
  return CUDART_VERSION;
}

cudnnStatus_t cudnnGetProperty(libraryPropertyType type, int* value) {
  return call(__func__, [&] {
    require_consistent(value != nullptr, "value is null");
    const int version[] = {CUDNN_MAJOR, CUDNN_MINOR, CUDNN_PATCHLEVEL};
    require_consistent(type >= MAJOR_VERSION && type <= PATCH_LEVEL, "no such property");
    *value = version[type];
  });
}

const char* cudnnGetErrorString(cudnnStatus_t status) {
  switch (status) {
    case CUDNN_STATUS_SUCCESS:
      return "CUDNN_STATUS_SUCCESS";
    case CUDNN_STATUS_NOT_INITIALIZED:
      return "CUDNN_STATUS_NOT_INITIALIZED";
    case CUDNN_STATUS_BAD_PARAM:
      return "CUDNN_STATUS_BAD_PARAM";
    case CUDNN_STATUS_NOT_SUPPORTED:
      return "CUDNN_STATUS_NOT_SUPPORTED";
    case CUDNN_STATUS_EXECUTION_FAILED:
      return "CUDNN_STATUS_EXECUTION_FAILED";
    case CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED:
      return "CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED";
    default:
      return "CUDNN_UNKNOWN_STATUS";
  }
}

void cudnnGetLastErrorString(char* message, size_t max_size) {
  if (message != nullptr && max_size > 0) *message = '\0';  // the words went to stderr
}

cudnnStatus_t cudnnCreate(cudnnHandle_t* handle) {
  return call(__func__, [&] {
    require_consistent(handle != nullptr, "handle is null");
    require(settings().driver_version >= CUDART_VERSION && settings().devices > 0, CUDNN_STATUS_NOT_INITIALIZED,
            "no device, or a driver that is too old");
    *handle = new cudnnContext;
    handles().insert(*handle);
  });
}

cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) {
  return call(__func__, [&] {
    require_handle(handle);
    handles().erase(handle);
    scheduler().synchronize_all();  // documented
    delete handle;
  });
}

cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream) {
  return call(__func__, [&] {
    require_handle(handle);
    require_consistent(scheduler().find(stream) != nullptr, "no such stream");
    handle->stream = stream;
  });
}

cudnnStatus_t cudnnGetStream(cudnnHandle_t handle, cudaStream_t* stream) {
  return call(__func__, [&] {
    require_handle(handle);
    require_consistent(stream != nullptr, "stream is null");
    *stream = handle->stream;
  });
}

}  // extern "C"

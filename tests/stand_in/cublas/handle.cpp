// The library's handle, modes and words.
#include <cstdint>
#include <set>

#include "core/memory.h"
#include "core/scheduler.h"
#include "core/settings.h"
#include "cublas/call.h"

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
  void* workspace = nullptr;  // the caller's; null: the library's own
  std::size_t workspace_bytes = 0;
};

namespace stand_in {

namespace {

std::set<cublasHandle_t>& handles() {
  static auto* all = new std::set<cublasHandle_t>;
  return *all;
}

Stream& stream_of(cublasHandle_t handle) {
  Stream* stream = scheduler().find(handle->stream);
  require(stream != nullptr, CUBLAS_STATUS_EXECUTION_FAILED, "the handle's stream was destroyed");
  return *stream;
}

}  // namespace

void require_handle(cublasHandle_t handle) {
  require(handles().count(handle) == 1, CUBLAS_STATUS_NOT_INITIALIZED, "no such handle");
}

float host_scalar(const float* value, const char* name) {
  require_valid(value != nullptr, std::string(name) + " is null");
  require_valid(memory().is_host(value), std::string(name) + " is not in host memory, where the pointer mode has it");
  return *value;
}

void run(cublasHandle_t handle, std::function<void()> operation) {
  void* const workspace = handle->workspace;
  const std::size_t bytes = handle->workspace_bytes;
  scheduler().enqueue(stream_of(handle), [=] {
    spoil(workspace, bytes);
    operation();
  });
}

void finish(cublasHandle_t handle) {
  scheduler().synchronize(stream_of(handle));
}

}  // namespace stand_in

using namespace stand_in;

extern "C" {

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  return call(__func__, [&] {
    require_valid(handle != nullptr, "handle is null");
    require(settings().driver_version >= CUBLAS_VER_MAJOR * 1000 && settings().devices > 0,
            CUBLAS_STATUS_NOT_INITIALIZED, "no device, or a driver that is too old");
    *handle = new cublasContext;
    handles().insert(*handle);
  });
}

cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  return call(__func__, [&] {
    require_handle(handle);
    handles().erase(handle);
    scheduler().synchronize_all();  // documented
    delete handle;
  });
}

cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version) {
  return call(__func__, [&] {
    require_handle(handle);
    require_valid(version != nullptr, "version is null");
    *version = CUBLAS_VERSION;
  });
}

cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  return call(__func__, [&] {
    require_handle(handle);
    require_valid(scheduler().find(stream) != nullptr, "no such stream");
    handle->stream = stream;
    handle->workspace = nullptr;  // documented: back to the library's own
    handle->workspace_bytes = 0;
  });
}

cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream) {
  return call(__func__, [&] {
    require_handle(handle);
    require_valid(stream != nullptr, "stream is null");
    *stream = handle->stream;
  });
}

cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void* workspace, std::size_t bytes) {
  return call(__func__, [&] {
    require_handle(handle);
    require_valid(reinterpret_cast<std::uintptr_t>(workspace) % 256 == 0, "the workspace is not aligned to 256 bytes");
    require_valid(bytes == 0 || memory().on_device(workspace, bytes),
                  "the workspace is not within memory of the device");
    handle->workspace = workspace;
    handle->workspace_bytes = bytes;
  });
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  return call(__func__, [&] {
    require_handle(handle);
    const int kind = mode & ~CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
    require_valid(kind == CUBLAS_DEFAULT_MATH || kind == CUBLAS_TENSOR_OP_MATH || kind == CUBLAS_PEDANTIC_MATH ||
                      kind == CUBLAS_TF32_TENSOR_OP_MATH,
                  "mode " + std::to_string(mode));
    handle->math = mode;
  });
}

cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  return call(__func__, [&] {
    require_handle(handle);
    require_valid(mode != nullptr, "mode is null");
    *mode = handle->math;
  });
}

cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
  return call(__func__, [&] {
    require_handle(handle);
    require(mode == CUBLAS_POINTER_MODE_HOST, CUBLAS_STATUS_NOT_SUPPORTED, "scalars on the device");
  });
}

const char* cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS:
      return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return "CUBLAS_STATUS_EXECUTION_FAILED";
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return "CUBLAS_STATUS_NOT_SUPPORTED";
    default:
      return "unrecognized status";
  }
}

const char* cublasGetStatusString(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS:
      return "success";
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return "the library was not initialized";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "an invalid argument";
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return "execution failed";
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return "not supported";
    default:
      return "unrecognized status";
  }
}

}  // extern "C"

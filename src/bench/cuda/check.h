#pragma once

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <cudnn.h>

#include "base/error.h"

namespace mgbench::cuda {

/// Throw Error(not_measured) with the library's own words unless `status` is success. `call` names what was tried.
inline void check(cudaError_t status, const char* call) {
  if (status != cudaSuccess) fail(ExitCode::not_measured, "{}: {}", call, cudaGetErrorString(status));
}
inline void check(cudnnStatus_t status, const char* call) {
  if (status != CUDNN_STATUS_SUCCESS) fail(ExitCode::not_measured, "{}: {}", call, cudnnGetErrorString(status));
}
inline void check(cublasStatus_t status, const char* call) {
  if (status != CUBLAS_STATUS_SUCCESS) fail(ExitCode::not_measured, "{}: {}", call, cublasGetStatusString(status));
}

}  // namespace mgbench::cuda

#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "bench/cuda/element.h"

namespace mgbench::cuda {

/// The kernels of kernels.cu, compiled for this process's device.
class Kernels {
 public:
  /// Throws Error(not_measured) with the compiler's log.
  Kernels();
  ~Kernels() = default;  // the module lives until the process ends: the driver may be gone before
  Kernels(const Kernels&) = delete;
  Kernels& operator=(const Kernels&) = delete;

  /// One of the types is float32, the other is not.
  void cast(cudaStream_t stream, ElementType from_type, const void* from, ElementType to_type, void* to,
            std::size_t count) const;

  struct Dropout {
    std::uint64_t channels = 0;
    std::uint64_t pixels = 0;
    Layout layout = Layout::channels_first;
    std::uint64_t base = 0;
    const std::uint64_t* iteration = nullptr;  ///< the iteration's number, on the device
    std::uint64_t threshold = 0;
    float scale = 1;
  };
  /// to = from times the mask, or added to it where it accumulates.
  void dropout(cudaStream_t stream, ElementType type, const void* from, void* to, bool accumulate, std::size_t count,
               const Dropout& dropout) const;

  /// Adds one to a number of the device.
  void advance(cudaStream_t stream, std::uint64_t* number) const;

 private:
  CUfunction function(const char* name) const;
  void launch(cudaStream_t stream, CUfunction kernel, std::size_t count, void** arguments) const;

  decltype(&cuLaunchKernel) launch_kernel_ = nullptr;
  CUmodule module_ = nullptr;
  CUfunction to_float16_ = nullptr, from_float16_ = nullptr, to_bfloat16_ = nullptr, from_bfloat16_ = nullptr;
  CUfunction dropout_float32_ = nullptr, dropout_float16_ = nullptr, dropout_bfloat16_ = nullptr, advance_ = nullptr;
};

}  // namespace mgbench::cuda

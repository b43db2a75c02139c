#pragma once

#include <cudnn.h>
#include <library_types.h>

#include "bench/network.h"

namespace mgbench::cuda {

/// What activations are kept in.
constexpr ElementType activation_type(Precision precision) {
  if (precision == Precision::fp16) return ElementType::float16;
  return precision == Precision::bf16 ? ElementType::bfloat16 : ElementType::float32;
}

constexpr cudnnDataType_t cudnn_type(ElementType type) {
  if (type == ElementType::float16) return CUDNN_DATA_HALF;
  return type == ElementType::bfloat16 ? CUDNN_DATA_BFLOAT16 : CUDNN_DATA_FLOAT;
}

constexpr cudaDataType_t cuda_type(ElementType type) {
  if (type == ElementType::float16) return CUDA_R_16F;
  return type == ElementType::bfloat16 ? CUDA_R_16BF : CUDA_R_32F;
}

}  // namespace mgbench::cuda

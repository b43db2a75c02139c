#pragma once

#include <cudnn.h>

#include <array>
#include <cstddef>

/// The library's opaque types. Operations keep copies, so that a program may change or destroy a descriptor after a
/// call.

struct cudnnTensorStruct {
  bool set = false;
  cudnnDataType_t type{};
  std::array<int, 4> size{};    // n, c, h, w
  std::array<int, 4> stride{};  // of the same, in elements

  std::size_t elements() const;   // without gaps
  std::size_t footprint() const;  // from the first element to behind the last, in elements
};

struct cudnnFilterStruct {
  bool set = false;
  cudnnDataType_t type{};
  cudnnTensorFormat_t format{};
  std::array<int, 4> size{};  // k, c, h, w

  /// The same values as a tensor of k, c, h, w.
  cudnnTensorStruct as_tensor() const;
};

struct cudnnConvolutionStruct {
  bool set = false;
  std::array<int, 2> pad{}, stride{}, dilation{};  // height, width
  cudnnConvolutionMode_t mode{};
  cudnnDataType_t compute{};
  cudnnMathType_t math = CUDNN_DEFAULT_MATH;
  int groups = 1;
};

struct cudnnPoolingStruct {
  bool set = false;
  cudnnPoolingMode_t mode{};
  cudnnNanPropagation_t nan{};
  std::array<int, 2> window{}, pad{}, stride{};  // height, width
};

struct cudnnActivationStruct {
  bool set = false;
  cudnnActivationMode_t mode{};
  cudnnNanPropagation_t nan{};
  double coefficient = 0;
};

/// The defaults are documented.
struct cudnnLRNStruct {
  unsigned window = 5;
  double alpha = 1e-4;
  double beta = 0.75;
  double k = 2;
};

struct cudnnOpTensorStruct {
  bool set = false;
  cudnnOpTensorOp_t operation{};
  cudnnDataType_t compute{};
  cudnnNanPropagation_t nan{};
};

namespace stand_in {

using Tensor = cudnnTensorStruct;
using Filter = cudnnFilterStruct;

std::size_t bytes_of(cudnnDataType_t type);

/// Strides without gaps.
std::array<int, 4> packed_strides(cudnnTensorFormat_t format, const std::array<int, 4>& size);
bool packed_as(const Tensor& tensor, cudnnTensorFormat_t format);

}  // namespace stand_in

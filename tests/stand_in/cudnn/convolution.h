#pragma once

#include <vector>

#include "cudnn/call.h"

namespace stand_in {

/// Input, filter and output of a convolution, whichever of them is computed.
struct Convolution {
  Tensor x;
  Filter w;
  cudnnConvolutionStruct settings;
  Tensor y;

  std::size_t outputs() const { return static_cast<std::size_t>(y.size[2]) * static_cast<std::size_t>(y.size[3]); }
  std::size_t inputs() const { return static_cast<std::size_t>(x.size[2]) * static_cast<std::size_t>(x.size[3]); }
  /// Weights of one output channel.
  std::size_t taps() const {
    return static_cast<std::size_t>(w.size[1]) * static_cast<std::size_t>(w.size[2]) *
           static_cast<std::size_t>(w.size[3]);
  }
};

/// n, c, h, w of the output: 1 + floor((in + 2 pad - ((filter - 1) dilation + 1)) / stride).
std::array<int, 4> output_size(const Tensor& x, const Filter& w, const cudnnConvolutionStruct& settings);

/// Refuses descriptors that contradict each other, and configurations that the library has no algorithm for.
Convolution convolution(cudnnTensorDescriptor_t x, cudnnFilterDescriptor_t w, cudnnConvolutionDescriptor_t settings,
                        cudnnTensorDescriptor_t y);

/// The three directions, on values without gaps.
std::vector<float> convolve(const Convolution& problem, const std::vector<float>& x, const std::vector<float>& w);
std::vector<float> convolve_back_to_data(const Convolution& problem, const std::vector<float>& w,
                                         const std::vector<float>& dy);
std::vector<float> convolve_back_to_filter(const Convolution& problem, const std::vector<float>& x,
                                           const std::vector<float>& dy);

}  // namespace stand_in

#pragma once

#include <cudnn.h>

#include <string>

#include "base/units.h"
#include "bench/cuda/descriptors.h"
#include "bench/cuda/workspace.h"

namespace mgbench::cuda {

/// What cuDNN computes one direction of a convolution with.
template <typename Algorithm>
struct ChosenAlgorithm {
  Algorithm algorithm{};
  Bytes workspace = 0;
  cudnnMathType_t math = CUDNN_DEFAULT_MATH;
};

struct ConvolutionTensors {
  std::string key;  ///< all that distinguishes it from other convolutions of this process
  cudnnTensorDescriptor_t input;
  void* input_data;
  cudnnFilterDescriptor_t filter;
  void* filter_data;
  cudnnTensorDescriptor_t output;
  void* output_data;
};

/// The fastest that is deterministic (two runs of one seed agree to the bit) and fits the workspace, by cuDNN's own
/// measurement on the given memory, which it overwrites. Equal convolutions are measured once a process. Throws
/// Error(not_measured) where none fits.
ChosenAlgorithm<cudnnConvolutionFwdAlgo_t> choose_forward(cudnnHandle_t cudnn, const ConvolutionTensors& tensors,
                                                          cudnnConvolutionDescriptor_t convolution,
                                                          const Workspace& workspace);
ChosenAlgorithm<cudnnConvolutionBwdDataAlgo_t> choose_backward_data(cudnnHandle_t cudnn,
                                                                    const ConvolutionTensors& tensors,
                                                                    cudnnConvolutionDescriptor_t convolution,
                                                                    const Workspace& workspace);
ChosenAlgorithm<cudnnConvolutionBwdFilterAlgo_t> choose_backward_filter(cudnnHandle_t cudnn,
                                                                        const ConvolutionTensors& tensors,
                                                                        cudnnConvolutionDescriptor_t convolution,
                                                                        const Workspace& workspace);

}  // namespace mgbench::cuda

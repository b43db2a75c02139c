#pragma once

#include "bench/cuda/layer.h"

namespace mgbench::cuda {

/// The bias of a layer whose second tensor it is: one number an output channel.
class Bias {
 public:
  Bias(const Context& network, Parameters& parameters, const Activation& output, int layer)
      : network_(network),
        parameters_(parameters),
        output_(output),
        layer_(layer),
        shape_(network.type, network.layout, 1, {output.shape.channels, 1, 1}) {}

  void forward() const {
    check(cudnnAddTensor(network_.cudnn, &kOne, shape_, parameters_.value(layer_, 1), &kOne, output_.descriptor,
                         output_.value),
          "cudnnAddTensor");
  }

  void backward() const {
    check(cudnnConvolutionBackwardBias(network_.cudnn, &kOne, output_.descriptor, output_.gradient, &kZero, shape_,
                                       parameters_.target(layer_, 1, network_.type)),
          "cudnnConvolutionBackwardBias");
    parameters_.deliver(layer_, 1, network_.type);
  }

 private:
  const Context& network_;
  Parameters& parameters_;
  const Activation& output_;
  int layer_;
  TensorDescriptor shape_;
};

}  // namespace mgbench::cuda

#include "bench/cuda/layer.h"

namespace mgbench::cuda {
namespace {

/// In place where the plan says so; the sign of the output is that of the input.
class ReluLayer final : public Layer {
 public:
  explicit ReluLayer(LayerContext context) : Layer(std::move(context)) {
    check(cudnnSetActivationDescriptor(activation_, CUDNN_ACTIVATION_RELU, CUDNN_PROPAGATE_NAN, 0),
          "cudnnSetActivationDescriptor");
  }

  void forward() override {
    check(cudnnActivationForward(network().cudnn, activation_, &kOne, input().descriptor, input().value, &kZero,
                                 output().descriptor, output().value),
          "cudnnActivationForward");
  }

  void backward(BackwardPart) override {
    const float kept = this->kept();
    check(cudnnActivationBackward(network().cudnn, activation_, &kOne, output().descriptor, output().value,
                                  output().descriptor, output().gradient, input().descriptor, input().value, &kept,
                                  input().descriptor, input().gradient),
          "cudnnActivationBackward");
  }

 private:
  ActivationDescriptor activation_;
};

}  // namespace

LayerPointer make_layer(const Relu&, LayerContext context) {
  return std::make_unique<ReluLayer>(std::move(context));
}

}  // namespace mgbench::cuda

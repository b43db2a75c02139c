#include "bench/cuda/layer.h"

namespace mgbench::cuda {
namespace {

class PoolingLayer final : public Layer {
 public:
  PoolingLayer(const Pooling& pooling, LayerContext context)
      : Layer(std::move(context)), pooling_(make_pooling_descriptor(pooling)) {}

  void forward() override {
    check(cudnnPoolingForward(network().cudnn, pooling_, &kOne, input().descriptor, input().value, &kZero,
                              output().descriptor, output().value),
          "cudnnPoolingForward");
  }

  void backward(BackwardPart) override {
    const float kept = this->kept();
    check(cudnnPoolingBackward(network().cudnn, pooling_, &kOne, output().descriptor, output().value,
                               output().descriptor, output().gradient, input().descriptor, input().value, &kept,
                               input().descriptor, input().gradient),
          "cudnnPoolingBackward");
  }

 private:
  PoolingDescriptor pooling_;
};

}  // namespace

LayerPointer make_layer(const Pooling& pooling, LayerContext context) {
  return std::make_unique<PoolingLayer>(pooling, std::move(context));
}

}  // namespace mgbench::cuda

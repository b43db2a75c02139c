#include "bench/cuda/layer.h"

namespace mgbench::cuda {
namespace {

class LocalResponseNormLayer final : public Layer {
 public:
  LocalResponseNormLayer(const LocalResponseNorm& norm, LayerContext context) : Layer(std::move(context)) {
    check(cudnnSetLRNDescriptor(norm_, static_cast<unsigned>(norm.size), norm.alpha, norm.beta, norm.k),
          "cudnnSetLRNDescriptor");
  }

  void forward() override {
    check(cudnnLRNCrossChannelForward(network().cudnn, norm_, CUDNN_LRN_CROSS_CHANNEL_DIM1, &kOne, input().descriptor,
                                      input().value, &kZero, output().descriptor, output().value),
          "cudnnLRNCrossChannelForward");
  }

  void backward(BackwardPart) override {
    const float kept = this->kept();
    check(cudnnLRNCrossChannelBackward(network().cudnn, norm_, CUDNN_LRN_CROSS_CHANNEL_DIM1, &kOne, output().descriptor,
                                       output().value, output().descriptor, output().gradient, input().descriptor,
                                       input().value, &kept, input().descriptor, input().gradient),
          "cudnnLRNCrossChannelBackward");
  }

 private:
  NormDescriptor norm_;
};

}  // namespace

LayerPointer make_layer(const LocalResponseNorm& norm, LayerContext context) {
  return std::make_unique<LocalResponseNormLayer>(norm, std::move(context));
}

}  // namespace mgbench::cuda

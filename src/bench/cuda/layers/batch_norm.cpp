#include "bench/cuda/layer.h"

namespace mgbench::cuda {
namespace {

class BatchNormLayer final : public Layer {
 public:
  BatchNormLayer(const BatchNorm& norm, LayerContext context)
      : Layer(std::move(context)),
        norm_(norm),
        mode_(network().type == ElementType::float32 ? CUDNN_BATCHNORM_SPATIAL : CUDNN_BATCHNORM_SPATIAL_PERSISTENT),
        channels_(static_cast<std::size_t>(input().shape.channels)),
        statistics_(network().device.allocate(static_cast<Bytes>(4 * channels_ * sizeof(float)))) {
    check(cudnnDeriveBNTensorDescriptor(parameter_shape_, input().descriptor, mode_), "cudnnDeriveBNTensorDescriptor");
    const std::vector<float> zeros(channels_, 0.0F);
    const std::vector<float> ones(channels_, 1.0F);
    const auto bytes = static_cast<Bytes>(channels_ * sizeof(float));
    network().copy(running(0), zeros.data(), bytes);
    network().copy(running(1), ones.data(), bytes);
    network().finish();
  }

  void forward() override {
    check(cudnnBatchNormalizationForwardTraining(
              network().cudnn, mode_, &kOne, &kZero, input().descriptor, input().value, output().descriptor,
              output().value, parameter_shape_, parameters().single(layer(), 0), parameters().single(layer(), 1),
              norm_.momentum, running(0), running(1), norm_.epsilon, running(2), running(3)),
          "cudnnBatchNormalizationForwardTraining");
  }

  /// Both parameters' gradients come from one call: where they lie beside the arena they must not lie in one place.
  void backward(BackwardPart) override {
    constexpr ElementType kType = ElementType::float32;
    const float kept = this->kept();
    void* scale = parameters().target(layer(), 0, kType);
    void* shift = parameters().target(layer(), 1, kType);
    const bool beside = scale == shift;
    if (beside) shift = static_cast<float*>(scale) + channels_;
    check(cudnnBatchNormalizationBackward(network().cudnn, mode_, &kOne, &kept, &kOne, &kZero, input().descriptor,
                                          input().value, output().descriptor, output().gradient, input().descriptor,
                                          input().gradient, parameter_shape_, parameters().single(layer(), 0), scale,
                                          shift, norm_.epsilon, running(2), running(3)),
          "cudnnBatchNormalizationBackward");
    parameters().deliver(layer(), 0, kType);
    if (beside) network().copy(scale, shift, static_cast<Bytes>(channels_ * sizeof(float)));
    parameters().deliver(layer(), 1, kType);
  }

 private:
  /// Running mean and variance; mean and inverse deviation of the batch.
  float* running(std::size_t which) const { return static_cast<float*>(statistics_.get()) + which * channels_; }

  BatchNorm norm_;
  cudnnBatchNormMode_t mode_;
  std::size_t channels_;
  TensorDescriptor parameter_shape_;
  std::shared_ptr<void> statistics_;
};

}  // namespace

LayerPointer make_layer(const BatchNorm& norm, LayerContext context) {
  return std::make_unique<BatchNormLayer>(norm, std::move(context));
}

}  // namespace mgbench::cuda

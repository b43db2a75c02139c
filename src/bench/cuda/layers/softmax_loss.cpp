#include <algorithm>
#include <cmath>

#include "bench/backends/synthetic.h"
#include "bench/cuda/layer.h"

namespace mgbench::cuda {
namespace {

/// In single precision whatever activations are in: probabilities of a thousand classes are small.
class SoftmaxLossLayer final : public Layer {
 public:
  SoftmaxLossLayer(const SoftmaxLoss& loss, LayerContext context)
      : Layer(std::move(context)),
        weight_(loss.weight),
        classes_(static_cast<std::size_t>(input().shape.elements())),
        labels_(synthetic_labels(input().shape.channels, network().request.batch, network().request.seed,
                                 network().request.rank)),
        shape_(ElementType::float32, Layout::channels_first, network().request.batch, {input().shape.channels, 1, 1}),
        scores_(network().type == ElementType::float32 ? nullptr : make()),
        probabilities_(make()),
        targets_(make()),
        gradient_(network().type == ElementType::float32 ? nullptr : make()) {
    std::vector<float> targets(input().count, 0.0F);
    for (std::size_t image = 0; image < labels_.size(); ++image)
      targets[image * classes_ + static_cast<std::size_t>(labels_[image])] = 1;
    network().copy(targets_.get(), targets.data(), static_cast<Bytes>(targets.size() * sizeof(float)));
    network().finish();
  }

  void forward() override {
    if (scores_)
      network().kernels.cast(network().queue, network().type, input().value, ElementType::float32, scores_.get(),
                             input().count);
    check(cudnnSoftmaxForward(network().cudnn, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL, &kOne, shape_,
                              scores(), &kZero, shape_, probabilities_.get()),
          "cudnnSoftmaxForward");
  }

  /// weight / batch (probability - target), added to what is there.
  void backward(BackwardPart) override {
    const auto scale = static_cast<float>(weight_ / static_cast<double>(labels_.size())) * parameters().loss_scale();
    const float opposite = -scale;
    require(!(gradient_ && adds()), "a layer that a loss and another layer read, in half precision");
    const float kept = gradient_ ? 0.0F : this->kept();
    void* gradient = gradient_ ? gradient_.get() : input().gradient;
    check(cudnnAddTensor(network().cudnn, &scale, shape_, probabilities_.get(), &kept, shape_, gradient),
          "cudnnAddTensor");
    check(cudnnAddTensor(network().cudnn, &opposite, shape_, targets_.get(), &kOne, shape_, gradient),
          "cudnnAddTensor");
    if (gradient_)
      network().kernels.cast(network().queue, ElementType::float32, gradient, network().type, input().gradient,
                             input().count);
  }

  double loss() const override {
    const std::vector<float> scores = network().download(ElementType::float32, this->scores(), input().count);
    double sum = 0;
    for (std::size_t image = 0; image < labels_.size(); ++image) {
      const auto begin = scores.begin() + static_cast<std::ptrdiff_t>(image * classes_);
      const auto end = begin + static_cast<std::ptrdiff_t>(classes_);
      const double largest = *std::max_element(begin, end);
      double exponentials = 0;
      for (auto score = begin; score != end; ++score) exponentials += std::exp(*score - largest);
      sum += std::log(exponentials) + largest - begin[labels_[image]];
    }
    return weight_ * sum / static_cast<double>(labels_.size());
  }

 private:
  std::shared_ptr<void> make() const {
    return network().device.allocate(static_cast<Bytes>(input().count * sizeof(float)));
  }
  const void* scores() const { return scores_ ? scores_.get() : input().value; }

  double weight_;
  std::size_t classes_;
  std::vector<int> labels_;
  TensorDescriptor shape_;
  std::shared_ptr<void> scores_, probabilities_, targets_, gradient_;
};

}  // namespace

LayerPointer make_layer(const SoftmaxLoss& loss, LayerContext context) {
  return std::make_unique<SoftmaxLossLayer>(loss, std::move(context));
}

}  // namespace mgbench::cuda

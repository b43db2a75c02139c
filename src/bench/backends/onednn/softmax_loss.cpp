#include <algorithm>
#include <cmath>

#include "bench/backends/onednn/layer.h"
#include "bench/backends/synthetic.h"

namespace mgbench::onednn {
namespace {

/// Own loops: the work is nothing, and the primitives (softmax, logarithm, a gather and a mean) would need
/// four passes.
class SoftmaxLossLayer final : public Layer {
 public:
  SoftmaxLossLayer(const SoftmaxLoss& loss, Compilation& compilation, int index)
      : Layer(compilation, index),
        classes_(static_cast<std::size_t>(spec().output.channels)),
        scale_(loss.weight / compilation.batch()),
        labels_(synthetic_labels(spec().output.channels, compilation.batch(), compilation.request().seed,
                                 compilation.request().rank)),
        probabilities_(compilation.pool().take(compilation.plain(index))) {
    const Buffer scores = compilation.input_in(index, compilation.plain(index));
    compilation.emit([this, from = scores.data()] { forward(from); });
    compilation.set_activation(index, probabilities_);
  }

  void compile_backward(BackwardPart) override {
    const Buffer gradient = compilation().pool().take(compilation().plain(index()));
    compilation().emit([this, to = gradient.data()] { backward(to); });
    compilation().gradients().add(compilation().input(index()), gradient);
  }

  double loss() const override { return loss_; }

 private:
  /// Without what a sum of at least 1 cannot feel: once a network knows its batch by heart, denormal gradients would
  /// stall it.
  static float exponential(float x) { return x < -40.0F ? 0.0F : std::exp(x); }

  void forward(const float* scores) {
    double sum_of_losses = 0;
    float* probabilities = probabilities_.data();
    for (const int label : labels_) {
      const float largest = *std::max_element(scores, scores + classes_);
      float sum = 0;
      for (std::size_t c = 0; c < classes_; ++c) sum += probabilities[c] = exponential(scores[c] - largest);
      for (std::size_t c = 0; c < classes_; ++c) probabilities[c] /= sum;
      sum_of_losses += std::log(double{sum}) + largest - scores[label];
      scores += classes_;
      probabilities += classes_;
    }
    loss_ = scale_ * sum_of_losses;
  }

  void backward(float* gradient) const {
    const float* probabilities = probabilities_.data();
    const auto scale = static_cast<float>(scale_);
    for (const int label : labels_) {
      for (std::size_t c = 0; c < classes_; ++c) gradient[c] = scale * probabilities[c];
      gradient[label] -= scale;
      gradient += classes_;
      probabilities += classes_;
    }
  }

  std::size_t classes_;
  double scale_;  ///< weight / batch
  std::vector<int> labels_;
  Buffer probabilities_;
  double loss_ = 0;
};

}  // namespace

LayerPointer make_layer(const SoftmaxLoss& loss, Compilation& compilation, int index) {
  return std::make_unique<SoftmaxLossLayer>(loss, compilation, index);
}

}  // namespace mgbench::onednn

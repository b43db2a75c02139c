#include <algorithm>
#include <cmath>

#include "bench/backends/eigen/layer.h"
#include "bench/backends/synthetic.h"

namespace mgbench {
namespace {

/// Keeps the probabilities as its output.
template <typename Scalar>
class SoftmaxLossLayer final : public Layer<Scalar> {
 public:
  SoftmaxLossLayer(const SoftmaxLoss& loss, LayerContext<Scalar> context)
      : Layer<Scalar>(std::move(context)),
        weight_(loss.weight),
        classes_(static_cast<std::size_t>(this->input().shape.channels)),
        labels_(synthetic_labels(this->input().shape.channels, this->input().batch, this->context().request->seed,
                                 this->context().request->rank)) {}

  void forward() override {
    double sum_of_losses = 0;
    for (std::size_t image = 0; image < labels_.size(); ++image) {
      const Scalar* scores = this->input().value.data() + image * classes_;
      Scalar* probabilities = this->output().value.data() + image * classes_;
      const Scalar largest = *std::max_element(scores, scores + classes_);
      Scalar sum{0};
      for (std::size_t c = 0; c < classes_; ++c) sum += probabilities[c] = std::exp(scores[c] - largest);
      for (std::size_t c = 0; c < classes_; ++c) probabilities[c] /= sum;
      sum_of_losses += static_cast<double>(std::log(sum) + largest - scores[labels_[image]]);
    }
    loss_ = weight_ * sum_of_losses / static_cast<double>(labels_.size());
  }

  void backward(BackwardPart) override {
    const auto scale = static_cast<Scalar>(weight_ / static_cast<double>(labels_.size()));
    for (std::size_t image = 0; image < labels_.size(); ++image)
      for (std::size_t c = 0; c < classes_; ++c) {
        const Scalar target{static_cast<int>(c) == labels_[image] ? Scalar{1} : Scalar{0}};
        const std::size_t i = image * classes_ + c;
        this->input().gradient[i] += scale * (this->output().value[i] - target);
      }
  }

  double loss() const override { return loss_; }

 private:
  double weight_;
  std::size_t classes_;
  std::vector<int> labels_;
  double loss_ = 0;
};

}  // namespace

template <typename Scalar>
LayerPointer<Scalar> make_layer(const SoftmaxLoss& loss, LayerContext<Scalar> context) {
  return std::make_unique<SoftmaxLossLayer<Scalar>>(loss, std::move(context));
}
template LayerPointer<float> make_layer(const SoftmaxLoss&, LayerContext<float>);
template LayerPointer<double> make_layer(const SoftmaxLoss&, LayerContext<double>);

}  // namespace mgbench

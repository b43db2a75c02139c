#include <algorithm>
#include <cmath>

#include "bench/backends/eigen/layer.h"

namespace mgbench {
namespace {

template <typename Scalar>
class BatchNormLayer final : public Layer<Scalar> {
 public:
  BatchNormLayer(const BatchNorm& norm, LayerContext<Scalar> context)
      : Layer<Scalar>(std::move(context)),
        norm_(norm),
        count_(static_cast<Scalar>(this->input().batch) * this->input().shape.height * this->input().shape.width),
        mean_(static_cast<std::size_t>(this->input().shape.channels)),
        variance_(mean_.size()),
        running_(mean_.size()) {}

  void forward() override {
    const std::span<Scalar> weight = this->context().parameters[0];
    const std::span<Scalar> bias = this->context().parameters[1];
    for (std::size_t c = 0; c < mean_.size(); ++c) {
      Scalar sum{0};
      for_each(c, [&](std::size_t i) { sum += this->input().value[i]; });
      mean_[c] = sum / count_;
      Scalar squares{0};
      for_each(c, [&](std::size_t i) { squares += square(this->input().value[i] - mean_[c]); });
      variance_[c] = squares / count_;
      for_each(c, [&](std::size_t i) { this->output().value[i] = weight[c] * normalized(c, i) + bias[c]; });
    }
    running_.update(norm_, mean_.data(), variance_.data(), static_cast<double>(count_));
  }

  /// With n elements a channel and x^ the normalized input, from the chain rule through mean and variance:
  /// dx = weight / sqrt(variance + epsilon) * (dy - mean(dy) - x^ mean(dy x^)).
  void backward(BackwardPart) override {
    const std::span<Scalar> weight = this->context().parameters[0];
    const std::span<Scalar> weight_gradient = this->context().gradients[0];
    const std::span<Scalar> bias_gradient = this->context().gradients[1];
    for (std::size_t c = 0; c < mean_.size(); ++c) {
      Scalar sum{0};
      Scalar correlation{0};
      for_each(c, [&](std::size_t i) {
        sum += this->output().gradient[i];
        correlation += this->output().gradient[i] * normalized(c, i);
      });
      weight_gradient[c] = correlation;
      bias_gradient[c] = sum;
      for_each(c, [&](std::size_t i) {
        const Scalar centred = this->output().gradient[i] - sum / count_ - normalized(c, i) * correlation / count_;
        this->input().gradient[i] += weight[c] * inverse_deviation(c) * centred;
      });
    }
  }

  const RunningStatistics* running_statistics() const override { return &running_; }

 private:
  static Scalar square(Scalar x) { return x * x; }
  Scalar inverse_deviation(std::size_t c) const {
    return Scalar{1} / std::sqrt(variance_[c] + static_cast<Scalar>(norm_.epsilon));
  }
  Scalar normalized(std::size_t c, std::size_t i) const {
    return (this->input().value[i] - mean_[c]) * inverse_deviation(c);
  }

  template <typename Function>
  void for_each(std::size_t channel, Function function) const {
    const Activation<Scalar>& in = this->input();
    for (int image = 0; image < in.batch; ++image) {
      const std::size_t begin = in.index(image, static_cast<int>(channel), 0, 0);
      for (std::size_t i = begin; i < begin + static_cast<std::size_t>(in.shape.height) * in.shape.width; ++i)
        function(i);
    }
  }

  BatchNorm norm_;
  Scalar count_;  ///< elements a channel, over the batch
  std::vector<Scalar> mean_;
  std::vector<Scalar> variance_;  ///< biased
  RunningStatistics running_;
};

}  // namespace

template <typename Scalar>
LayerPointer<Scalar> make_layer(const BatchNorm& norm, LayerContext<Scalar> context) {
  return std::make_unique<BatchNormLayer<Scalar>>(norm, std::move(context));
}
template LayerPointer<float> make_layer(const BatchNorm&, LayerContext<float>);
template LayerPointer<double> make_layer(const BatchNorm&, LayerContext<double>);

}  // namespace mgbench

#include <algorithm>
#include <cmath>

#include "bench/backends/eigen/layer.h"

namespace mgbench {
namespace {

/// y_c = x_c / s_c^beta with s_c = k + alpha / size * sum of x_j^2 over the channels j within size / 2 of c.
template <typename Scalar>
class LocalResponseNormLayer final : public Layer<Scalar> {
 public:
  LocalResponseNormLayer(const LocalResponseNorm& norm, LayerContext<Scalar> context)
      : Layer<Scalar>(std::move(context)), norm_(norm) {}

  void forward() override {
    for_each_element([&](int image, int channel, int y, int x) {
      const std::size_t i = this->input().index(image, channel, y, x);
      this->output().value[i] = this->input().value[i] * std::pow(scale(image, channel, y, x), -beta());
    });
  }

  /// dy_j / dx_c = [j = c] s_j^-beta - 2 alpha beta / size * x_j x_c s_j^(-beta - 1) for c within size / 2 of
  /// j.
  void backward(BackwardPart) override {
    const Scalar factor = Scalar{2} * alpha() * beta();
    for_each_element([&](int image, int channel, int y, int x) {
      Activation<Scalar>& in = this->input();
      const std::size_t i = in.index(image, channel, y, x);
      Scalar sum = this->output().gradient[i] * std::pow(scale(image, channel, y, x), -beta());
      for_each_neighbour(channel, [&](int other) {
        const std::size_t j = in.index(image, other, y, x);
        sum -= factor * in.value[i] * in.value[j] * this->output().gradient[j] *
               std::pow(scale(image, other, y, x), -beta() - Scalar{1});
      });
      in.gradient[i] += sum;
    });
  }

 private:
  Scalar alpha() const { return static_cast<Scalar>(norm_.alpha / norm_.size); }
  Scalar beta() const { return static_cast<Scalar>(norm_.beta); }

  Scalar scale(int image, int channel, int y, int x) const {
    Scalar squares{0};
    for_each_neighbour(channel, [&](int other) {
      const Scalar value = this->input().value[this->input().index(image, other, y, x)];
      squares += value * value;
    });
    return static_cast<Scalar>(norm_.k) + alpha() * squares;
  }

  template <typename Function>
  void for_each_neighbour(int channel, Function function) const {
    const int first = std::max(channel - norm_.size / 2, 0);
    const int last = std::min(channel + norm_.size / 2, this->input().shape.channels - 1);
    for (int other = first; other <= last; ++other) function(other);
  }

  template <typename Function>
  void for_each_element(Function function) const {
    const Activation<Scalar>& in = this->input();
    for (int image = 0; image < in.batch; ++image)
      for (int channel = 0; channel < in.shape.channels; ++channel)
        for (int y = 0; y < in.shape.height; ++y)
          for (int x = 0; x < in.shape.width; ++x) function(image, channel, y, x);
  }

  LocalResponseNorm norm_;
};

}  // namespace

template <typename Scalar>
LayerPointer<Scalar> make_layer(const LocalResponseNorm& norm, LayerContext<Scalar> context) {
  return std::make_unique<LocalResponseNormLayer<Scalar>>(norm, std::move(context));
}
template LayerPointer<float> make_layer(const LocalResponseNorm&, LayerContext<float>);
template LayerPointer<double> make_layer(const LocalResponseNorm&, LayerContext<double>);

}  // namespace mgbench

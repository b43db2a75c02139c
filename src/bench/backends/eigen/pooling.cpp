#include <algorithm>

#include "bench/backends/eigen/layer.h"

namespace mgbench {
namespace {

/// The part of a window that lies inside the image; half-open.
struct Window {
  int top, bottom, left, right;
  int elements() const { return (bottom - top) * (right - left); }
};

template <typename Scalar>
class PoolingLayer final : public Layer<Scalar> {
 public:
  PoolingLayer(const Pooling& pooling, LayerContext<Scalar> context)
      : Layer<Scalar>(std::move(context)), pooling_(pooling) {}

  void forward() override {
    Activation<Scalar>& in = this->input();
    Activation<Scalar>& out = this->output();
    for_each_window([&](int image, int channel, std::size_t result, const Window& window) {
      if (pooling_.kind == PoolingKind::maximum) {
        out.value[result] = in.value[largest(image, channel, window)];
        return;
      }
      Scalar sum{0};
      for (int y = window.top; y < window.bottom; ++y)
        for (int x = window.left; x < window.right; ++x) sum += in.value[in.index(image, channel, y, x)];
      out.value[result] = sum / static_cast<Scalar>(window.elements());
    });
  }

  void backward(BackwardPart) override {
    Activation<Scalar>& in = this->input();
    const Activation<Scalar>& out = this->output();
    for_each_window([&](int image, int channel, std::size_t result, const Window& window) {
      const Scalar gradient = out.gradient[result];
      if (pooling_.kind == PoolingKind::maximum) {
        in.gradient[largest(image, channel, window)] += gradient;
        return;
      }
      for (int y = window.top; y < window.bottom; ++y)
        for (int x = window.left; x < window.right; ++x)
          in.gradient[in.index(image, channel, y, x)] += gradient / static_cast<Scalar>(window.elements());
    });
  }

 private:
  /// Index of the first of the largest elements.
  std::size_t largest(int image, int channel, const Window& window) const {
    const Activation<Scalar>& in = this->input();
    std::size_t best = in.index(image, channel, window.top, window.left);
    for (int y = window.top; y < window.bottom; ++y)
      for (int x = window.left; x < window.right; ++x)
        if (in.value[in.index(image, channel, y, x)] > in.value[best]) best = in.index(image, channel, y, x);
    return best;
  }

  template <typename Function>
  void for_each_window(Function function) {
    const Shape& in = this->input().shape;
    const Activation<Scalar>& out = this->output();
    for (int image = 0; image < out.batch; ++image)
      for (int channel = 0; channel < in.channels; ++channel)
        for (int y = 0; y < out.shape.height; ++y)
          for (int x = 0; x < out.shape.width; ++x) {
            const int top = y * pooling_.stride - pooling_.padding;
            const int left = x * pooling_.stride - pooling_.padding;
            function(image, channel, out.index(image, channel, y, x),
                     Window{std::max(top, 0), std::min(top + pooling_.kernel, in.height), std::max(left, 0),
                            std::min(left + pooling_.kernel, in.width)});
          }
  }

  Pooling pooling_;
};

}  // namespace

template <typename Scalar>
LayerPointer<Scalar> make_layer(const Pooling& pooling, LayerContext<Scalar> context) {
  return std::make_unique<PoolingLayer<Scalar>>(pooling, std::move(context));
}
template LayerPointer<float> make_layer(const Pooling&, LayerContext<float>);
template LayerPointer<double> make_layer(const Pooling&, LayerContext<double>);

}  // namespace mgbench

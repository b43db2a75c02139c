#include <algorithm>

#include "bench/backends/eigen/layer.h"

namespace mgbench {
namespace {

template <typename Scalar>
class ReluLayer final : public Layer<Scalar> {
 public:
  using Layer<Scalar>::Layer;

  void forward() override {
    const auto& in = this->input().value;
    for (std::size_t i = 0; i < in.size(); ++i) this->output().value[i] = std::max(in[i], Scalar{0});
  }

  void backward(BackwardPart) override {
    Activation<Scalar>& in = this->input();
    for (std::size_t i = 0; i < in.value.size(); ++i)
      if (in.value[i] > Scalar{0}) in.gradient[i] += this->output().gradient[i];
  }
};

}  // namespace

template <typename Scalar>
LayerPointer<Scalar> make_layer(const Relu&, LayerContext<Scalar> context) {
  return std::make_unique<ReluLayer<Scalar>>(std::move(context));
}
template LayerPointer<float> make_layer(const Relu&, LayerContext<float>);
template LayerPointer<double> make_layer(const Relu&, LayerContext<double>);

}  // namespace mgbench

#include "bench/backends/eigen/layer.h"

namespace mgbench {
namespace {

template <typename Scalar>
class AddLayer final : public Layer<Scalar> {
 public:
  using Layer<Scalar>::Layer;

  void forward() override {
    for (std::size_t i = 0; i < this->output().value.size(); ++i)
      this->output().value[i] = this->input(0).value[i] + this->input(1).value[i];
  }

  void backward(BackwardPart) override {
    for (Activation<Scalar>* in : this->context().inputs)
      for (std::size_t i = 0; i < in->gradient.size(); ++i) in->gradient[i] += this->output().gradient[i];
  }
};

}  // namespace

template <typename Scalar>
LayerPointer<Scalar> make_layer(const Add&, LayerContext<Scalar> context) {
  return std::make_unique<AddLayer<Scalar>>(std::move(context));
}
template LayerPointer<float> make_layer(const Add&, LayerContext<float>);
template LayerPointer<double> make_layer(const Add&, LayerContext<double>);

}  // namespace mgbench

#include "bench/backends/eigen/layer.h"

namespace mgbench {
namespace {

template <typename Scalar>
class ConcatLayer final : public Layer<Scalar> {
 public:
  using Layer<Scalar>::Layer;

  void forward() override {
    for_each_pair([](Activation<Scalar>& in, std::size_t i, Activation<Scalar>& out, std::size_t o) {
      out.value[o] = in.value[i];
    });
  }

  void backward(BackwardPart) override {
    for_each_pair([](Activation<Scalar>& in, std::size_t i, Activation<Scalar>& out, std::size_t o) {
      in.gradient[i] += out.gradient[o];
    });
  }

 private:
  template <typename Function>
  void for_each_pair(Function function) {
    Activation<Scalar>& out = this->output();
    int first_channel = 0;
    for (Activation<Scalar>* in : this->context().inputs) {
      const auto elements = static_cast<std::size_t>(in->shape.elements());
      for (int image = 0; image < out.batch; ++image)
        for (std::size_t i = 0; i < elements; ++i)
          function(*in, in->index(image, 0, 0, 0) + i, out, out.index(image, first_channel, 0, 0) + i);
      first_channel += in->shape.channels;
    }
  }
};

}  // namespace

template <typename Scalar>
LayerPointer<Scalar> make_layer(const Concat&, LayerContext<Scalar> context) {
  return std::make_unique<ConcatLayer<Scalar>>(std::move(context));
}
template LayerPointer<float> make_layer(const Concat&, LayerContext<float>);
template LayerPointer<double> make_layer(const Concat&, LayerContext<double>);

}  // namespace mgbench

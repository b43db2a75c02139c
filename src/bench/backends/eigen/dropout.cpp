#include "bench/backends/eigen/layer.h"
#include "bench/backends/synthetic.h"

namespace mgbench {
namespace {

template <typename Scalar>
class DropoutLayer final : public Layer<Scalar> {
 public:
  DropoutLayer(const Dropout& dropout, LayerContext<Scalar> context)
      : Layer<Scalar>(std::move(context)),
        mask_(dropout.ratio, this->context().request->seed, this->context().request->rank, this->context().layer) {}

  void forward() override {
    mask_.set_iteration(*this->context().iteration);
    const auto& in = this->input().value;
    for (std::size_t i = 0; i < in.size(); ++i) this->output().value[i] = in[i] * factor(i);
  }

  void backward(BackwardPart) override {
    const auto& out = this->output().gradient;
    for (std::size_t i = 0; i < out.size(); ++i) this->input().gradient[i] += out[i] * factor(i);
  }

 private:
  Scalar factor(std::size_t i) const { return mask_.keeps(i) ? static_cast<Scalar>(mask_.scale()) : Scalar{0}; }

  DropoutMask mask_;
};

}  // namespace

template <typename Scalar>
LayerPointer<Scalar> make_layer(const Dropout& dropout, LayerContext<Scalar> context) {
  return std::make_unique<DropoutLayer<Scalar>>(dropout, std::move(context));
}
template LayerPointer<float> make_layer(const Dropout&, LayerContext<float>);
template LayerPointer<double> make_layer(const Dropout&, LayerContext<double>);

}  // namespace mgbench

#include "bench/backends/eigen/layer.h"
#include "bench/backends/eigen/matrix.h"

namespace mgbench {
namespace {

/// output [batch, outputs] = input [batch, inputs] times weight [outputs, inputs] transposed.
template <typename Scalar>
class InnerProductLayer final : public Layer<Scalar> {
 public:
  InnerProductLayer(const InnerProduct& product, LayerContext<Scalar> context)
      : Layer<Scalar>(std::move(context)), product_(product) {}

  void forward() override {
    MatrixView<Scalar> out = rows(this->output(), this->output().value);
    out.noalias() = rows(this->input(), this->input().value) * weight(this->context().parameters).transpose();
    if (product_.bias) out.rowwise() += bias(this->context().parameters).transpose();
  }

  void backward(BackwardPart part) override {
    const MatrixView<Scalar> out = rows(this->output(), this->output().gradient);
    if (part == BackwardPart::data) {
      rows(this->input(), this->input().gradient).noalias() += out * weight(this->context().parameters);
      return;
    }
    weight(this->context().gradients).noalias() = out.transpose() * rows(this->input(), this->input().value);
    if (product_.bias) bias(this->context().gradients) = out.colwise().sum().transpose();
  }

 private:
  static MatrixView<Scalar> rows(const Activation<Scalar>& activation, std::vector<Scalar>& values) {
    return {values.data(), activation.batch, activation.shape.elements()};
  }
  MatrixView<Scalar> weight(const std::vector<std::span<Scalar>>& tensors) const {
    return {tensors[0].data(), product_.outputs, this->input().shape.elements()};
  }
  VectorView<Scalar> bias(const std::vector<std::span<Scalar>>& tensors) const {
    return {tensors[1].data(), product_.outputs};
  }

  InnerProduct product_;
};

}  // namespace

template <typename Scalar>
LayerPointer<Scalar> make_layer(const InnerProduct& product, LayerContext<Scalar> context) {
  return std::make_unique<InnerProductLayer<Scalar>>(product, std::move(context));
}
template LayerPointer<float> make_layer(const InnerProduct&, LayerContext<float>);
template LayerPointer<double> make_layer(const InnerProduct&, LayerContext<double>);

}  // namespace mgbench

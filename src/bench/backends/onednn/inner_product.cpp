#include <utility>

#include "bench/backends/onednn/layer.h"

namespace mgbench::onednn {
namespace {

using Forward = dnnl::inner_product_forward;
using BackwardData = dnnl::inner_product_backward_data;
using BackwardWeights = dnnl::inner_product_backward_weights;

/// Everything plain. Left to choose, oneDNN wants blocked weights, and AlexNet would spend most of its time
/// in reorders.
class InnerProductLayer final : public Layer {
 public:
  InnerProductLayer(const InnerProduct& product, Compilation& compilation, int index)
      : Layer(compilation, index), product_(product) {
    const auto batch = compilation.batch();
    const auto& weight = spec().parameters[0].dimensions;
    weight_ = plain_layout(Dimensions{weight[0], weight[1]});
    in_layout_ = plain_layout(Dimensions{batch, weight[1]});
    out_layout_ = plain_layout(Dimensions{batch, weight[0]});
    dnnl::primitive_attr attributes = Compilation::attributes();
    if (applies_relu()) {
      dnnl::post_ops relu;
      relu.append_eltwise(1.0F, dnnl::algorithm::eltwise_relu, 0.0F, 0.0F);
      attributes.set_post_ops(relu);
    }
    const auto training = dnnl::prop_kind::forward_training;
    const auto description = product.bias ? Forward::desc(training, in_layout_, weight_, bias_layout(), out_layout_)
                                          : Forward::desc(training, in_layout_, weight_, out_layout_);
    forward_ = {description, attributes, compilation.engine()};

    const int input = compilation.input(index);
    in_ = compilation.pool().view(compilation.input_in(index, compilation.plain(input)), in_layout_);
    const Buffer out = compilation.pool().take(out_layout_);
    Arguments arguments{{DNNL_ARG_SRC, in_.memory},
                        {DNNL_ARG_WEIGHTS, compilation.parameters().value(index, 0)},
                        {DNNL_ARG_DST, out.memory}};
    if (product.bias) arguments.emplace_back(DNNL_ARG_BIAS, compilation.parameters().value(index, 1));
    compilation.emit<Forward>(forward_, std::move(arguments));
    compilation.set_activation(index, compilation.pool().view(out, compilation.plain(index)));
  }

  void compile_backward(BackwardPart part) override {
    if (part == BackwardPart::weights)
      compile_weights();
    else
      compile_data();
  }

 private:
  void compile_weights() {
    Compilation& c = compilation();
    gradient_ = c.pool().view(c.gradients().take(index()), out_layout_);
    const auto description = product_.bias ? BackwardWeights::desc(in_layout_, weight_, bias_layout(), out_layout_)
                                           : BackwardWeights::desc(in_layout_, weight_, out_layout_);
    Arguments arguments{{DNNL_ARG_SRC, in_.memory},
                        {DNNL_ARG_DIFF_DST, gradient_.memory},
                        {DNNL_ARG_DIFF_WEIGHTS, c.parameters().gradient(index(), 0)}};
    if (product_.bias) arguments.emplace_back(DNNL_ARG_DIFF_BIAS, c.parameters().gradient(index(), 1));
    c.emit<BackwardWeights>({description, Compilation::attributes(), c.engine(), forward_}, std::move(arguments));
  }

  void compile_data() {
    Compilation& c = compilation();
    const BackwardData::desc description(in_layout_, weight_, out_layout_);
    const Buffer out_gradient = std::exchange(gradient_, {});
    const Buffer in_gradient = c.pool().take(in_layout_);
    c.emit<BackwardData>({description, Compilation::attributes(), c.engine(), forward_},
                         {{DNNL_ARG_DIFF_DST, out_gradient.memory},
                          {DNNL_ARG_WEIGHTS, c.parameters().value(index(), 0)},
                          {DNNL_ARG_DIFF_SRC, in_gradient.memory}});
    const int input = c.input(index());
    c.gradients().add(input, c.pool().view(in_gradient, c.plain(input)));
  }

  Layout bias_layout() const { return plain_layout(Dimensions{product_.outputs}); }

  InnerProduct product_;
  Layout weight_;
  Layout in_layout_;   ///< [batch, inputs]
  Layout out_layout_;  ///< [batch, outputs]
  Forward::primitive_desc forward_;
  Buffer in_;
  Buffer gradient_;  ///< of the output, from the weights' part to the data's
};

}  // namespace

LayerPointer make_layer(const InnerProduct& product, Compilation& compilation, int index) {
  return std::make_unique<InnerProductLayer>(product, compilation, index);
}

}  // namespace mgbench::onednn

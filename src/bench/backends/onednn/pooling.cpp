#include "bench/backends/onednn/layer.h"

namespace mgbench::onednn {
namespace {

using Forward = dnnl::pooling_forward;
using Backward = dnnl::pooling_backward;

class PoolingLayer final : public Layer {
 public:
  PoolingLayer(const Pooling& pooling, Compilation& compilation, int index) : Layer(compilation, index) {
    const Buffer in = compilation.activation(compilation.input(index));
    kind_ = pooling.kind == PoolingKind::maximum ? dnnl::algorithm::pooling_max
                                                 : dnnl::algorithm::pooling_avg_exclude_padding;
    strides_ = {pooling.stride, pooling.stride};
    kernel_ = {pooling.kernel, pooling.kernel};
    begin_ = {pooling.padding, pooling.padding};
    // What the output's size, which may be rounded up, needs at the other end.
    const Shape& from = compilation.spec(compilation.input(index)).output;
    const auto end = [&](int output, int input) {
      return (output - 1) * pooling.stride + pooling.kernel - input - pooling.padding;
    };
    end_ = {end(spec().output.height, from.height), end(spec().output.width, from.width)};

    const Forward::desc description(dnnl::prop_kind::forward_training, kind_, in.layout(), compilation.any(index),
                                    strides_, kernel_, begin_, end_);
    forward_ = {description, Compilation::attributes(), compilation.engine()};
    const Buffer out = compilation.pool().take(forward_.dst_desc());
    Arguments arguments{{DNNL_ARG_SRC, in.memory}, {DNNL_ARG_DST, out.memory}};
    if (needs_workspace()) {
      workspace_ = compilation.pool().take(forward_.workspace_desc());
      arguments.emplace_back(DNNL_ARG_WORKSPACE, workspace_.memory);
    }
    compilation.emit<Forward>(forward_, std::move(arguments));
    compilation.set_activation(index, out);
  }

  void compile_backward(BackwardPart) override {
    Compilation& c = compilation();
    const Buffer out_gradient = c.gradients().take(index());
    const int input = c.input(index());
    const Buffer in_gradient = c.pool().take(c.activation(input).layout());
    const Backward::desc description(kind_, in_gradient.layout(), out_gradient.layout(), strides_, kernel_, begin_,
                                     end_);
    Arguments arguments{{DNNL_ARG_DIFF_DST, out_gradient.memory}, {DNNL_ARG_DIFF_SRC, in_gradient.memory}};
    if (needs_workspace()) arguments.emplace_back(DNNL_ARG_WORKSPACE, workspace_.memory);
    c.emit<Backward>({description, Compilation::attributes(), c.engine(), forward_}, std::move(arguments));
    c.gradients().add(input, in_gradient);
  }

 private:
  /// Where each maximum was.
  bool needs_workspace() const { return kind_ == dnnl::algorithm::pooling_max; }

  dnnl::algorithm kind_;
  Dimensions strides_, kernel_, begin_, end_;
  Forward::primitive_desc forward_;
  Buffer workspace_;
};

}  // namespace

LayerPointer make_layer(const Pooling& pooling, Compilation& compilation, int index) {
  return std::make_unique<PoolingLayer>(pooling, compilation, index);
}

}  // namespace mgbench::onednn

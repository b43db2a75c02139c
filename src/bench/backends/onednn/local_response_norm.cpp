#include "bench/backends/onednn/layer.h"

namespace mgbench::onednn {
namespace {

using Forward = dnnl::lrn_forward;
using Backward = dnnl::lrn_backward;

class LocalResponseNormLayer final : public Layer {
 public:
  LocalResponseNormLayer(const LocalResponseNorm& norm, Compilation& compilation, int index)
      : Layer(compilation, index), norm_(norm) {
    const Buffer in = compilation.activation(compilation.input(index));
    const Forward::desc description(dnnl::prop_kind::forward_training, dnnl::algorithm::lrn_across_channels,
                                    in.layout(), norm.size, static_cast<float>(norm.alpha),
                                    static_cast<float>(norm.beta), static_cast<float>(norm.k));
    forward_ = {description, Compilation::attributes(), compilation.engine()};
    const Buffer out = compilation.pool().take(forward_.dst_desc());
    workspace_ = compilation.pool().take(forward_.workspace_desc());
    compilation.emit<Forward>(
        forward_, {{DNNL_ARG_SRC, in.memory}, {DNNL_ARG_DST, out.memory}, {DNNL_ARG_WORKSPACE, workspace_.memory}});
    compilation.set_activation(index, out);
  }

  void compile_backward(BackwardPart) override {
    Compilation& c = compilation();
    const Buffer in = c.activation(c.input(index()));
    const Buffer out_gradient = c.gradients().take(index());
    const Buffer in_gradient = c.pool().take(in.layout());
    const Backward::desc description(dnnl::algorithm::lrn_across_channels, in.layout(), out_gradient.layout(),
                                     norm_.size, static_cast<float>(norm_.alpha), static_cast<float>(norm_.beta),
                                     static_cast<float>(norm_.k));
    c.emit<Backward>({description, Compilation::attributes(), c.engine(), forward_},
                     {{DNNL_ARG_SRC, in.memory},
                      {DNNL_ARG_DIFF_DST, out_gradient.memory},
                      {DNNL_ARG_DIFF_SRC, in_gradient.memory},
                      {DNNL_ARG_WORKSPACE, workspace_.memory}});
    c.gradients().add(c.input(index()), in_gradient);
  }

 private:
  LocalResponseNorm norm_;
  Forward::primitive_desc forward_;
  Buffer workspace_;
};

}  // namespace

LayerPointer make_layer(const LocalResponseNorm& norm, Compilation& compilation, int index) {
  return std::make_unique<LocalResponseNormLayer>(norm, compilation, index);
}

}  // namespace mgbench::onednn

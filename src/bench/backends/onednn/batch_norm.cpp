#include "bench/backends/onednn/layer.h"

namespace mgbench::onednn {
namespace {

using Forward = dnnl::batch_normalization_forward;
using Backward = dnnl::batch_normalization_backward;
using dnnl::normalization_flags;

class BatchNormLayer final : public Layer {
 public:
  BatchNormLayer(const BatchNorm& norm, Compilation& compilation, int index)
      : Layer(compilation, index),
        flags_(normalization_flags::use_scale | normalization_flags::use_shift |
               (applies_relu() ? normalization_flags::fuse_norm_relu : normalization_flags::none)),
        epsilon_(static_cast<float>(norm.epsilon)),
        running_(static_cast<std::size_t>(spec().output.channels)) {
    const Buffer in = compilation.activation(compilation.input(index));
    const Forward::desc description(dnnl::prop_kind::forward_training, in.layout(), epsilon_, flags_);
    forward_ = {description, Compilation::attributes(), compilation.engine()};
    mean_ = compilation.pool().take(forward_.mean_desc());
    variance_ = compilation.pool().take(forward_.variance_desc());
    const Buffer out = compilation.pool().take(forward_.dst_desc());
    Arguments arguments{{DNNL_ARG_SRC, in.memory},
                        {DNNL_ARG_DST, out.memory},
                        {DNNL_ARG_MEAN, mean_.memory},
                        {DNNL_ARG_VARIANCE, variance_.memory},
                        {DNNL_ARG_SCALE, compilation.parameters().value(index, 0)},
                        {DNNL_ARG_SHIFT, compilation.parameters().value(index, 1)}};
    if (applies_relu()) {
      workspace_ = compilation.pool().take(forward_.workspace_desc());
      arguments.emplace_back(DNNL_ARG_WORKSPACE, workspace_.memory);
    }
    compilation.emit<Forward>(forward_, std::move(arguments));
    const double count = static_cast<double>(spec().output.height) * spec().output.width * compilation.batch();
    compilation.emit([this, norm, count] { running_.update(norm, mean_.data(), variance_.data(), count); });
    compilation.set_activation(index, out);
  }

  void compile_backward(BackwardPart) override {
    Compilation& c = compilation();
    const Buffer in = c.activation(c.input(index()));
    const Buffer out_gradient = c.gradients().take(index());
    const Buffer in_gradient = c.pool().take(in.layout());
    const Backward::desc description(dnnl::prop_kind::backward, out_gradient.layout(), in.layout(), epsilon_, flags_);
    Arguments arguments{{DNNL_ARG_SRC, in.memory},
                        {DNNL_ARG_DIFF_DST, out_gradient.memory},
                        {DNNL_ARG_DIFF_SRC, in_gradient.memory},
                        {DNNL_ARG_MEAN, mean_.memory},
                        {DNNL_ARG_VARIANCE, variance_.memory},
                        {DNNL_ARG_SCALE, c.parameters().value(index(), 0)},
                        {DNNL_ARG_SHIFT, c.parameters().value(index(), 1)},
                        {DNNL_ARG_DIFF_SCALE, c.parameters().gradient(index(), 0)},
                        {DNNL_ARG_DIFF_SHIFT, c.parameters().gradient(index(), 1)}};
    if (applies_relu()) arguments.emplace_back(DNNL_ARG_WORKSPACE, workspace_.memory);
    c.emit<Backward>({description, Compilation::attributes(), c.engine(), forward_}, std::move(arguments));
    c.gradients().add(c.input(index()), in_gradient);
  }

  const RunningStatistics* running_statistics() const override { return &running_; }

 private:
  normalization_flags flags_;
  float epsilon_;
  RunningStatistics running_;
  Forward::primitive_desc forward_;
  Buffer mean_;
  Buffer variance_;
  Buffer workspace_;  ///< where the ReLU let pass
};

}  // namespace

LayerPointer make_layer(const BatchNorm& norm, Compilation& compilation, int index) {
  return std::make_unique<BatchNormLayer>(norm, compilation, index);
}

}  // namespace mgbench::onednn

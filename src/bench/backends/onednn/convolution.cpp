#include <cstdint>
#include <utility>

#include "bench/backends/onednn/layer.h"
#include "bench/backends/onednn/winograd.h"

namespace mgbench::onednn {
namespace {

using Forward = dnnl::convolution_forward;
using BackwardData = dnnl::convolution_backward_data;
using BackwardWeights = dnnl::convolution_backward_weights;
using dnnl::algorithm;

class ConvolutionLayer final : public Layer {
 public:
  ConvolutionLayer(const Convolution& convolution, Compilation& compilation, int index)
      : Layer(compilation, index), convolution_(convolution) {
    describe();
    lay_out_parameters();
    compile_forward();
  }

  void compile_backward(BackwardPart part) override {
    if (part == BackwardPart::weights)
      compile_weights();
    else
      compile_data();
  }

 private:
  /// The three primitives of the first algorithm that has them.
  void describe() {
    winograd_ = prefers_winograd(convolution_, spec().output, compilation().batch()) &&
                describe_as(algorithm::convolution_winograd);
    if (!winograd_ && !describe_as(algorithm::convolution_direct))
      fail(ExitCode::bad_input, "layer '{}': oneDNN has no such convolution", spec().name);
  }

  bool describe_as(algorithm kind) {
    constexpr bool kMayBeEmpty = true;
    const dnnl::engine& engine = compilation().engine();
    const Layout in = compilation().any(compilation().input(index()));
    const Layout weight = any_layout(weight_dimensions());
    const Layout out = compilation().any(index());
    const Dimensions strides{convolution_.stride, convolution_.stride};
    const Dimensions padding{convolution_.padding, convolution_.padding};
    dnnl::primitive_attr forward_attributes = Compilation::attributes();
    if (applies_relu()) {
      dnnl::post_ops relu;
      relu.append_eltwise(1.0F, algorithm::eltwise_relu, 0.0F, 0.0F);
      forward_attributes.set_post_ops(relu);
    }
    const auto forward = convolution_.bias ? Forward::desc(dnnl::prop_kind::forward_training, kind, in, weight,
                                                           bias_layout(), out, strides, padding, padding)
                                           : Forward::desc(dnnl::prop_kind::forward_training, kind, in, weight, out,
                                                           strides, padding, padding);
    forward_ = {forward, forward_attributes, engine, kMayBeEmpty};
    if (!forward_) return false;
    const auto weights = convolution_.bias
                             ? BackwardWeights::desc(kind, in, weight, bias_layout(), out, strides, padding, padding)
                             : BackwardWeights::desc(kind, in, weight, out, strides, padding, padding);
    weights_ = {weights, Compilation::attributes(), engine, forward_, kMayBeEmpty};
    data_ = {BackwardData::desc(kind, in, weight, out, strides, padding, padding), Compilation::attributes(), engine,
             forward_, kMayBeEmpty};
    return static_cast<bool>(weights_) && static_cast<bool>(data_);
  }

  /// As the weight-gradient primitive writes them: a message leaves without a reorder.
  void lay_out_parameters() { compilation().parameters().lay_out(index(), 0, weights_.diff_weights_desc()); }

  void compile_forward() {
    in_ = compilation().input_in(index(), forward_.src_desc());
    const Buffer weight = weight_in(forward_.weights_desc());
    const Buffer out = compilation().pool().take(forward_.dst_desc());
    Arguments arguments{{DNNL_ARG_SRC, in_.memory}, {DNNL_ARG_WEIGHTS, weight.memory}, {DNNL_ARG_DST, out.memory}};
    if (convolution_.bias) arguments.emplace_back(DNNL_ARG_BIAS, compilation().parameters().value(index(), 1));
    compilation().emit<Forward>(forward_, std::move(arguments));
    compilation().set_activation(index(), out);
  }

  void compile_weights() {
    Compilation& c = compilation();
    gradient_ = c.gradients().take(index());
    const Buffer in = c.in_layout(in_, weights_.src_desc());
    const Buffer out_gradient = c.in_layout(gradient_, weights_.diff_dst_desc());
    const dnnl::memory in_arena = c.parameters().gradient(index(), 0);
    // Winograd's last transform stores past the caches, which needs whole cache lines; not every tensor
    // begins one.
    const bool direct =
        in_arena.get_desc() == weights_.diff_weights_desc() && (!winograd_ || begins_cache_line(in_arena));
    const Buffer aside = direct ? Buffer{} : c.pool().take(weights_.diff_weights_desc());
    const dnnl::memory& written = direct ? in_arena : aside.memory;

    Arguments arguments{
        {DNNL_ARG_SRC, in.memory}, {DNNL_ARG_DIFF_DST, out_gradient.memory}, {DNNL_ARG_DIFF_WEIGHTS, written}};
    if (convolution_.bias) arguments.emplace_back(DNNL_ARG_DIFF_BIAS, c.parameters().gradient(index(), 1));
    c.emit<BackwardWeights>(weights_, std::move(arguments));
    if (!direct) c.emit_reorder(written, in_arena);
  }

  void compile_data() {
    Compilation& c = compilation();
    const Buffer out_gradient = c.in_layout(std::exchange(gradient_, {}), data_.diff_dst_desc());
    const Buffer weight = weight_in(data_.weights_desc());
    const Buffer in_gradient = c.pool().take(data_.diff_src_desc());
    c.emit<BackwardData>(data_, {{DNNL_ARG_DIFF_DST, out_gradient.memory},
                                 {DNNL_ARG_WEIGHTS, weight.memory},
                                 {DNNL_ARG_DIFF_SRC, in_gradient.memory}});
    c.gradients().add(c.input(index()), in_gradient);
  }

  /// The weights as a primitive wants them: those of the arena, or a copy made just before.
  Buffer weight_in(const Layout& layout) {
    const dnnl::memory in_arena = compilation().parameters().value(index(), 0);
    if (in_arena.get_desc() == layout) return {in_arena, nullptr};
    Buffer copy = compilation().pool().take(layout);
    compilation().emit_reorder(in_arena, copy.memory);
    return copy;
  }

  Dimensions weight_dimensions() const {
    const auto& plain = spec().parameters[0].dimensions;
    if (convolution_.groups == 1) return {plain.begin(), plain.end()};
    return {convolution_.groups, plain[0] / convolution_.groups, plain[1], plain[2], plain[3]};
  }
  Layout bias_layout() const { return plain_layout(Dimensions{convolution_.outputs}); }

  static bool begins_cache_line(const dnnl::memory& memory) {
    return reinterpret_cast<std::uintptr_t>(memory.get_data_handle()) % 64 == 0;
  }

  Convolution convolution_;
  bool winograd_ = false;
  Forward::primitive_desc forward_;
  BackwardWeights::primitive_desc weights_;
  BackwardData::primitive_desc data_;
  Buffer in_;
  Buffer gradient_;  ///< of the output, from the weights' part to the data's
};

}  // namespace

LayerPointer make_layer(const Convolution& convolution, Compilation& compilation, int index) {
  return std::make_unique<ConvolutionLayer>(convolution, compilation, index);
}

}  // namespace mgbench::onednn

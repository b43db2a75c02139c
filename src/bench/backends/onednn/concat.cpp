#include "bench/backends/onednn/layer.h"

namespace mgbench::onednn {
namespace {

/// Convolutions of oneDNN 2.6 do not write into a part of a larger buffer (they fall back to the reference
/// code), so the forward pass copies. Backward, each input's gradient is a slice of the output's: a view,
/// copied by nobody.
class ConcatLayer final : public Layer {
 public:
  ConcatLayer(Compilation& compilation, int index) : Layer(compilation, index) {
    block_ = common_block();
    std::vector<Layout> layouts;
    Arguments arguments;
    for (const int input : spec().inputs) {
      arguments.emplace_back(DNNL_ARG_MULTIPLE_SRC + static_cast<int>(layouts.size()),
                             compilation.activation(input).memory);
      layouts.push_back(compilation.activation(input).layout());
    }
    const Buffer out = compilation.pool().take(output_layout());
    constexpr int kChannels = 1;
    const dnnl::concat::primitive_desc description(out.layout(), kChannels, layouts, compilation.engine(),
                                                   Compilation::attributes());
    arguments.emplace_back(DNNL_ARG_DST, out.memory);
    compilation.emit<dnnl::concat>(description, std::move(arguments));
    compilation.set_activation(index, out);
  }

  void compile_backward(BackwardPart) override {
    if (block_ == 0)
      copy_slices();
    else
      hand_out_slices();
  }

 private:
  /// The channel block of all inputs, if slices of the output begin at whole blocks and so are runs of
  /// floats; else 0.
  int common_block() const {
    const int block = channel_block(compilation().activation(spec().inputs[0]).layout());
    for (const int input : spec().inputs) {
      const bool last = input == spec().inputs.back();
      if (channel_block(compilation().activation(input).layout()) != block || block == 0 ||
          (!last && compilation().spec(input).output.channels % block != 0))
        return 0;
    }
    return block;
  }

  Layout output_layout() const {
    using dnnl::memory;
    const Layout plain = compilation().plain(index());
    const auto blocked = [&](memory::format_tag tag) { return Layout(plain.dims(), memory::data_type::f32, tag); };
    switch (block_) {
      case 4:
        return blocked(memory::format_tag::nChw4c);
      case 8:
        return blocked(memory::format_tag::nChw8c);
      case 16:
        return blocked(memory::format_tag::nChw16c);
      default:
        return plain;
    }
  }

  void hand_out_slices() {
    const auto addends = compilation().gradients().take_addends(index());
    std::size_t begin = 0;
    for (const int input : spec().inputs) {
      auto slices = addends;
      for (auto& slice : slices) slice.offset += begin;
      compilation().gradients().add(input, slices);
      begin += floats(compilation().activation(input).layout()) / static_cast<std::size_t>(compilation().batch());
    }
  }

  void copy_slices() {
    Compilation& c = compilation();
    const Buffer gradient = c.gradients().take(index());
    dnnl::memory::dim channel = 0;
    for (const int input : spec().inputs) {
      const Dimensions dimensions = c.plain(input).dims();
      const Layout part = gradient.layout().submemory_desc(dimensions, {0, channel, 0, 0});
      const Buffer slice = c.pool().take(c.activation(input).layout());
      c.emit_reorder(dnnl::memory(part, c.engine(), gradient.data()), slice.memory);
      c.gradients().add(input, slice);
      channel += dimensions[1];
    }
  }

  int block_ = 0;
};

}  // namespace

LayerPointer make_layer(const Concat&, Compilation& compilation, int index) {
  return std::make_unique<ConcatLayer>(compilation, index);
}

}  // namespace mgbench::onednn

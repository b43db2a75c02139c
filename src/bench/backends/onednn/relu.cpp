#include "bench/backends/onednn/elementwise.h"
#include "bench/backends/onednn/layer.h"

namespace mgbench::onednn {
namespace {

class ReluLayer final : public Layer {
 public:
  ReluLayer(Compilation& compilation, int index) : Layer(compilation, index) {
    if (compilation.fusion().is_applied(index)) return;  // the layer below has set the activation
    const Buffer in = compilation.activation(compilation.input(index));
    const Buffer out = compilation.pool().take(in.layout());
    compilation.emit([from = in.data(), to = out.data(), size = floats(in.layout())] { rectify(to, from, size); });
    compilation.set_activation(index, out);
  }

  void compile_backward(BackwardPart) override {
    Gradients& gradients = compilation().gradients();
    const int input = compilation().input(index());
    const bool by_batch_norm = compilation().fusion().is_applied(index()) &&
                               std::holds_alternative<BatchNorm>(compilation().spec(input).operation);
    if (by_batch_norm)
      gradients.add(input,
                    gradients.take_addends(index()));  // its backward pass applies the mask that it kept
    else
      gradients.add(input, gradients.take_where_positive(index()));
  }
};

}  // namespace

LayerPointer make_layer(const Relu&, Compilation& compilation, int index) {
  return std::make_unique<ReluLayer>(compilation, index);
}

}  // namespace mgbench::onednn

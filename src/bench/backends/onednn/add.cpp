#include "bench/backends/onednn/elementwise.h"
#include "bench/backends/onednn/layer.h"

namespace mgbench::onednn {
namespace {

class AddLayer final : public Layer {
 public:
  AddLayer(Compilation& compilation, int index) : Layer(compilation, index) {
    const Buffer left = compilation.activation(compilation.input(index, 0));
    const Buffer right = compilation.in_layout(compilation.activation(compilation.input(index, 1)), left.layout());
    const Buffer out = compilation.pool().take(left.layout());
    compilation.emit([loop = applies_relu() ? add_and_rectify : add, to = out.data(), a = left.data(), b = right.data(),
                      size = floats(left.layout())] { loop(to, a, b, size); });
    compilation.set_activation(index, out);
  }

  void compile_backward(BackwardPart) override {
    Gradients& gradients = compilation().gradients();
    const Layout layout = compilation().activation(index()).layout();
    const auto addends = gradients.take_addends(index());
    for (const int input : spec().inputs) {
      if (interchangeable(compilation().activation(input).layout(), layout)) {
        gradients.add(input, addends);
        continue;
      }
      gradients.add(index(), addends);
      gradients.add(input, gradients.take(index()));
    }
  }
};

}  // namespace

LayerPointer make_layer(const Add&, Compilation& compilation, int index) {
  return std::make_unique<AddLayer>(compilation, index);
}

}  // namespace mgbench::onednn

#include "bench/backends/onednn/elementwise.h"
#include "bench/backends/onednn/layer.h"
#include "bench/backends/synthetic.h"

namespace mgbench::onednn {
namespace {

/// Plain, because masks are drawn by plain index. (Behind inner products and global pooling that costs
/// nothing.)
class DropoutLayer final : public Layer {
 public:
  DropoutLayer(const Dropout& dropout, Compilation& compilation, int index)
      : Layer(compilation, index),
        mask_(dropout.ratio, compilation.request().seed, compilation.request().rank, index),
        factors_(compilation.pool().take(compilation.plain(index))) {
    const Buffer in = compilation.input_in(index, compilation.plain(index));
    const Buffer out = compilation.pool().take(compilation.plain(index));
    compilation.emit([this, size = floats(in.layout())] { draw(size); });
    compile_product(in, out);
    compilation.set_activation(index, out);
  }

  void compile_backward(BackwardPart) override {
    Compilation& c = compilation();
    const Buffer out_gradient = c.gradients().take(index());
    const Buffer in_gradient = c.pool().take(out_gradient.layout());
    compile_product(out_gradient, in_gradient);
    c.gradients().add(c.input(index()), in_gradient);
  }

 private:
  void draw(std::size_t size) {
    mask_.set_iteration(compilation().iteration());
    float* const factors = factors_.data();
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < size; ++i) factors[i] = mask_.keeps(i) ? mask_.scale() : 0.0F;
  }

  void compile_product(const Buffer& in, const Buffer& out) {
    compilation().emit([to = out.data(), a = in.data(), b = factors_.data(), size = floats(in.layout())] {
      multiply(to, a, b, size);
    });
  }

  DropoutMask mask_;
  Buffer factors_;  ///< 0, or what a survivor is multiplied by
};

}  // namespace

LayerPointer make_layer(const Dropout& dropout, Compilation& compilation, int index) {
  return std::make_unique<DropoutLayer>(dropout, compilation, index);
}

}  // namespace mgbench::onednn

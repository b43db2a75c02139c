#include "bench/backends/synthetic.h"
#include "bench/cuda/layer.h"

namespace mgbench::cuda {
namespace {

/// cuDNN's own dropout draws other masks than other backends, and cannot draw an earlier iteration's again.
class DropoutLayer final : public Layer {
 public:
  DropoutLayer(const Dropout& dropout, LayerContext context)
      : Layer(std::move(context)), mask_(dropout.ratio, network().request.seed, network().request.rank, layer()) {}

  void forward() override { apply(input().value, output().value, false); }
  void backward(BackwardPart) override { apply(output().gradient, input().gradient, adds()); }

 private:
  void apply(const void* from, void* to, bool accumulate) const {
    const Shape& shape = input().shape;
    network().kernels.dropout(network().queue, network().type, from, to, accumulate, input().count,
                              {.channels = static_cast<std::uint64_t>(shape.channels),
                               .pixels = static_cast<std::uint64_t>(shape.height) * shape.width,
                               .layout = network().layout,
                               .base = mask_.base(),
                               .iteration = network().iteration.get(),
                               .threshold = mask_.threshold(),
                               .scale = mask_.scale()});
  }

  DropoutMask mask_;
};

}  // namespace

LayerPointer make_layer(const Dropout& dropout, LayerContext context) {
  return std::make_unique<DropoutLayer>(dropout, std::move(context));
}

}  // namespace mgbench::cuda

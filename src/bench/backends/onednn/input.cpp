#include <algorithm>

#include "bench/backends/onednn/layer.h"
#include "bench/backends/synthetic.h"

namespace mgbench::onednn {
namespace {

/// The images, drawn once.
class InputLayer final : public Layer {
 public:
  InputLayer(Compilation& compilation, int index) : Layer(compilation, index) {
    const NetworkRequest& request = compilation.request();
    const Buffer images = compilation.pool().take(compilation.plain(index));
    std::ranges::copy(synthetic_images(spec().output, request.batch, request.seed, request.rank), images.data());
    compilation.set_activation(index, images);
  }

  void compile_backward(BackwardPart) override {}
};

}  // namespace

LayerPointer make_layer(const Input&, Compilation& compilation, int index) {
  return std::make_unique<InputLayer>(compilation, index);
}

}  // namespace mgbench::onednn

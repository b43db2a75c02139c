#include <algorithm>

#include "bench/backends/onednn/fusion.h"
#include "bench/backends/onednn/network.h"
#include "bench/backends/onednn/winograd.h"

namespace mgbench::onednn {

/// Every activation is kept until its backward pass. Gradients live shortly; the pool hands memory on among buffers of
/// like sizes, of which the largest, the next smaller and so on are all in use at some time: together some eight times
/// the largest.
Bytes estimated_memory(const NetworkRequest& request) {
  const ModelSpec& model = *request.model;
  const Fusion fusion(model);
  std::int64_t kept = 0;
  std::int64_t largest = 0;
  Bytes scratch = 0;
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const LayerSpec& layer = model.layers[i];
    if (fusion.is_applied(static_cast<int>(i))) continue;
    const std::int64_t elements = layer.output.elements() * request.batch;
    kept += elements;
    largest = std::max(largest, elements);
    if (const auto* convolution = std::get_if<Convolution>(&layer.operation)) {
      const Shape& input = model.layers[static_cast<std::size_t>(layer.inputs[0])].output;
      scratch = std::max(scratch, winograd_scratch(*convolution, input, layer.output, request.batch));
    }
  }
  return (3 * model.parameters() + kept + 8 * largest) * static_cast<Bytes>(sizeof(float)) + scratch;
}

}  // namespace mgbench::onednn

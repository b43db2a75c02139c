#include <algorithm>

#include "bench/backends/onednn/fusion.h"
#include "bench/backends/onednn/network.h"

namespace mgbench::onednn {

/// Every activation is kept until its backward pass; their gradients live shortly and share memory.
Bytes estimated_memory(const NetworkRequest& request) {
  const ModelSpec& model = *request.model;
  const Fusion fusion(model);
  std::int64_t kept = 0;
  std::int64_t largest = 0;
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    if (fusion.is_applied(static_cast<int>(i))) continue;
    const std::int64_t elements = model.layers[i].output.elements() * request.batch;
    kept += elements;
    largest = std::max(largest, elements);
  }
  return (3 * model.parameters() + kept + 8 * largest) * static_cast<Bytes>(sizeof(float));
}

}  // namespace mgbench::onednn

#include "bench/outline.h"

#include "models/execution_order.h"

namespace mgbench {

Profile outline(const ModelSpec& model, const std::string& backend, const NetworkRequest& request) {
  Profile profile;
  profile.model = model.name;
  profile.backend = backend;
  profile.ranks = request.ranks;
  profile.batch = request.batch;
  const auto steps = execution_order(model);
  for (const ExecutionStep& step : steps)
    profile.steps.push_back({.name = model.layers[static_cast<std::size_t>(step.layer)].name, .tensors = {}});
  for (const ArenaTensor& tensor : arena_layout(model, steps)) {
    const LayerSpec& layer = model.layers[static_cast<std::size_t>(tensor.layer)];
    profile.steps[tensor.step].tensors.push_back(
        {layer.parameters[tensor.parameter].name, tensor.elements * static_cast<Bytes>(sizeof(float))});
  }
  return profile;
}

void require_computable(const NetworkRequest& request, const std::string& backend) {
  require(request.model != nullptr, "backend '{}' computes a model's layers, and none was given", backend);
  require(request.batch >= 1, "batch {}: expected at least one image a rank", request.batch);
  require(request.threads >= 1, "threads {}: expected at least one", request.threads);
  require(request.ranks >= 1 && request.rank >= 0 && request.rank < request.ranks,
          "rank {} of {}: expected a rank below their number", request.rank, request.ranks);
}

}  // namespace mgbench

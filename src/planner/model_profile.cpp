#include "planner/model_profile.h"

#include "models/execution_order.h"

namespace mgbench {

Profile model_profile(const ModelSpec& model) {
  Profile profile;
  profile.model = model.name;
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

}  // namespace mgbench

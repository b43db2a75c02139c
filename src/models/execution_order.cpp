#include "models/execution_order.h"

namespace mgbench {
namespace {

/// Whether a learnable tensor lies at or below each layer, so that the gradient of its output is needed.
std::vector<bool> learnable_below(const ModelSpec& model) {
  std::vector<bool> result(model.layers.size());
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    result[i] = !model.layers[i].parameters.empty();
    for (const int input : model.layers[i].inputs) result[i] = result[i] || result[static_cast<std::size_t>(input)];
  }
  return result;
}

}  // namespace

std::vector<ExecutionStep> execution_order(const ModelSpec& model) {
  const int layers = static_cast<int>(model.layers.size());
  std::vector<ExecutionStep> steps;
  std::vector<int> before_first;
  for (int i = 0; i < layers; ++i) {
    if (!model.layers[static_cast<std::size_t>(i)].parameters.empty())
      steps.push_back({.layer = i, .forward = {}, .backward = {}});
    (steps.empty() ? before_first : steps.back().forward).push_back(i);
  }
  auto& first = steps.front().forward;
  first.insert(first.begin(), before_first.begin(), before_first.end());

  const std::vector<bool> needed = learnable_below(model);
  std::size_t step = steps.size() - 1;
  for (int i = layers - 1; i >= 0 && i >= steps.front().layer; --i) {
    const LayerSpec& layer = model.layers[static_cast<std::size_t>(i)];
    bool data = false;
    for (const int input : layer.inputs) data = data || needed[static_cast<std::size_t>(input)];
    if (layer.parameters.empty()) {
      if (data) steps[step].backward.push_back({i, BackwardPart::data});
      continue;
    }
    const bool at_once = std::holds_alternative<BatchNorm>(layer.operation);
    steps[step].backward.push_back({i, at_once ? BackwardPart::both : BackwardPart::weights});
    if (i == steps.front().layer) break;
    --step;
    if (!at_once && data) steps[step].backward.push_back({i, BackwardPart::data});
  }
  return steps;
}

std::vector<ArenaTensor> arena_layout(const ModelSpec& model, const std::vector<ExecutionStep>& steps) {
  std::vector<ArenaTensor> tensors;
  std::int64_t offset = 0;
  for (std::size_t step = steps.size(); step-- > 0;) {
    const auto& parameters = model.layers[static_cast<std::size_t>(steps[step].layer)].parameters;
    for (std::size_t parameter = 0; parameter < parameters.size(); ++parameter) {
      const std::int64_t elements = parameters[parameter].elements();
      tensors.push_back({step, steps[step].layer, parameter, offset, elements});
      offset += elements;
    }
  }
  return tensors;
}

}  // namespace mgbench

#include "bench/cuda/activation_plan.h"

#include <algorithm>

namespace mgbench::cuda {
namespace {

template <typename Kind>
bool is(const LayerSpec& layer) {
  return std::holds_alternative<Kind>(layer.operation);
}

/// Whose backward does without its own output.
bool leaves_output(const LayerSpec& layer) {
  return is<Convolution>(layer) || is<InnerProduct>(layer) || is<BatchNorm>(layer) || is<Add>(layer) ||
         is<Concat>(layer);
}

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

}  // namespace

std::int64_t ActivationPlan::elements(const ModelSpec& model) const {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (!layers[i].stored) continue;
    const std::int64_t own = model.layers[i].output.elements();
    if (at(layers[i].value) == i) sum += own;
    if (layers[i].needs_gradient && at(layers[i].gradient) == i) sum += own;
  }
  return sum;
}

ActivationPlan plan_activations(const ModelSpec& model, const std::vector<ExecutionStep>& steps) {
  ActivationPlan plan;
  std::vector<int> readers(model.layers.size());
  for (const LayerSpec& layer : model.layers)
    for (const int input : layer.inputs) ++readers[at(input)];

  for (int i = 0; i < static_cast<int>(model.layers.size()); ++i) {
    const LayerSpec& layer = model.layers[at(i)];
    ActivationPlan::Layer planned{.value = i, .gradient = i, .adds = std::vector<bool>(layer.inputs.size())};
    planned.stored = !is<SoftmaxLoss>(layer);
    planned.needs_gradient = planned.stored && !is<Input>(layer);
    if (is<Relu>(layer) && readers[at(layer.inputs[0])] == 1 && leaves_output(model.layers[at(layer.inputs[0])])) {
      planned.value = plan.layers[at(layer.inputs[0])].value;
      planned.gradient = plan.layers[at(layer.inputs[0])].gradient;
    }
    plan.layers.push_back(std::move(planned));
  }

  // A sum's gradient is that of each input; layers above have read it by then.
  for (int i = static_cast<int>(model.layers.size()) - 1; i >= 0; --i) {
    const LayerSpec& layer = model.layers[at(i)];
    if (!is<Add>(layer)) continue;
    const auto only_read_here = [&](int input) {
      return readers[at(input)] == 1 && !is<Input>(model.layers[at(input)]);
    };
    const auto shared = std::find_if(layer.inputs.begin(), layer.inputs.end(), only_read_here);
    if (shared == layer.inputs.end()) continue;
    const int own = plan.layers[at(*shared)].gradient;
    for (ActivationPlan::Layer& each : plan.layers)
      if (each.gradient == own) each.gradient = plan.layers[at(i)].gradient;
  }

  std::vector<bool> written(model.layers.size());
  for (auto step = steps.rbegin(); step != steps.rend(); ++step)
    for (const BackwardOperation& operation : step->backward) {
      if (operation.part == BackwardPart::weights) continue;
      const LayerSpec& layer = model.layers[at(operation.layer)];
      for (std::size_t input = 0; input < layer.inputs.size(); ++input) {
        plan.layers[at(operation.layer)].adds[input] = written[at(layer.inputs[input])];
        written[at(layer.inputs[input])] = true;
      }
    }
  return plan;
}

}  // namespace mgbench::cuda

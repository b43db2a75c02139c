#include "bench/backends/onednn/fusion.h"

namespace mgbench::onednn {
namespace {

bool can_apply_relu(const Operation& operation) {
  return std::holds_alternative<Convolution>(operation) || std::holds_alternative<InnerProduct>(operation) ||
         std::holds_alternative<BatchNorm>(operation) || std::holds_alternative<Add>(operation);
}

}  // namespace

Fusion::Fusion(const ModelSpec& model) : relu_of_(model.layers.size(), -1), applied_(model.layers.size(), false) {
  std::vector<int> consumers(model.layers.size(), 0);
  for (const LayerSpec& layer : model.layers)
    for (const int input : layer.inputs) ++consumers[static_cast<std::size_t>(input)];
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    if (!std::holds_alternative<Relu>(model.layers[i].operation)) continue;
    const auto input = static_cast<std::size_t>(model.layers[i].inputs[0]);
    if (consumers[input] != 1 || !can_apply_relu(model.layers[input].operation)) continue;
    relu_of_[input] = static_cast<int>(i);
    applied_[i] = true;
  }
}

}  // namespace mgbench::onednn

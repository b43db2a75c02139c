#include "models/model.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/error.h"
#include "models/shape_inference.h"

namespace mgbench {

std::int64_t ParameterSpec::elements() const {
  return std::accumulate(dimensions.begin(), dimensions.end(), std::int64_t{1}, std::multiplies<>());
}

std::int64_t ModelSpec::parameters() const {
  std::int64_t sum = 0;
  for (const LayerSpec& layer : layers)
    for (const ParameterSpec& parameter : layer.parameters) sum += parameter.elements();
  return sum;
}

std::size_t ModelSpec::tensors() const {
  std::size_t sum = 0;
  for (const LayerSpec& layer : layers) sum += layer.parameters.size();
  return sum;
}

std::int64_t ModelSpec::multiply_adds() const {
  std::int64_t sum = 0;
  for (const LayerSpec& layer : layers) sum += layer.multiply_adds;
  return sum;
}

ModelBuilder::ModelBuilder(std::string name, Shape input) {
  model_.name = std::move(name);
  require(input.channels >= 1 && input.height >= 1 && input.width >= 1,
          "model '{}': an input of {}x{}x{}; expected at least 1x1x1", model_.name, input.channels, input.height,
          input.width);
  model_.layers.push_back({.name = "input", .operation = Input{}, .inputs = {}, .output = input, .parameters = {}});
}

int ModelBuilder::add(const std::string& name, Operation operation, std::vector<int> inputs) {
  LayerSpec layer{.name = name, .operation = operation, .inputs = std::move(inputs), .output = {}, .parameters = {}};
  for (const LayerSpec& other : model_.layers)
    require(other.name != name, "model '{}': two layers are named '{}'", model_.name, name);
  std::vector<Shape> shapes;
  for (const int input : layer.inputs) {
    require(input >= 0 && input < static_cast<int>(model_.layers.size()),
            "model '{}': layer '{}': input {} is not an earlier layer", model_.name, name, input);
    const LayerSpec& source = model_.layers[static_cast<std::size_t>(input)];
    require(!std::holds_alternative<SoftmaxLoss>(source.operation),
            "model '{}': layer '{}' takes the loss '{}' as input", model_.name, name, source.name);
    shapes.push_back(source.output);
  }
  infer_shape(layer, shapes);
  if (std::holds_alternative<SoftmaxLoss>(operation)) {
    require(model_.classes == 0 || model_.classes == layer.output.channels, "model '{}': losses over {} and {} classes",
            model_.name, model_.classes, layer.output.channels);
    model_.classes = layer.output.channels;
  }
  model_.layers.push_back(std::move(layer));
  return static_cast<int>(model_.layers.size()) - 1;
}

Shape ModelBuilder::shape(int layer) const {
  return model_.layers.at(static_cast<std::size_t>(layer)).output;
}

ModelSpec ModelBuilder::build() && {
  require(model_.classes > 0, "model '{}' has no loss", model_.name);
  require(model_.tensors() > 0, "model '{}' has nothing to learn", model_.name);
  std::vector<bool> used(model_.layers.size());
  for (const LayerSpec& layer : model_.layers)
    for (const int input : layer.inputs) used[static_cast<std::size_t>(input)] = true;
  for (std::size_t i = 0; i < used.size(); ++i)
    require(used[i] || std::holds_alternative<SoftmaxLoss>(model_.layers[i].operation),
            "model '{}': nothing uses the output of layer '{}'", model_.name, model_.layers[i].name);
  return std::move(model_);
}

}  // namespace mgbench

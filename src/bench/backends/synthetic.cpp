#include "bench/backends/synthetic.h"

#include <cmath>
#include <numbers>

namespace mgbench {
namespace {

/// Streams that must not meet.
enum class Stream : std::uint64_t { parameters = 1, images, labels, dropout };

std::uint64_t stream_key(Stream stream, std::uint64_t seed, std::uint64_t index) {
  return scramble(scramble(scramble(seed) ^ static_cast<std::uint64_t>(stream)) ^ index);
}

/// In [0, 1).
double uniform(std::uint64_t key, std::uint64_t index) {
  return static_cast<double>(scramble(key + index) >> 11U) * 0x1p-53;
}

bool feeds_a_loss(const ModelSpec& model, int layer) {
  for (const LayerSpec& consumer : model.layers)
    if (std::holds_alternative<SoftmaxLoss>(consumer.operation) && consumer.inputs[0] == layer) return true;
  return false;
}

/// The bound of the uniform distribution of a layer's weights.
double weight_bound(const ModelSpec& model, int layer, const ParameterSpec& weight) {
  const std::int64_t inputs = weight.elements() / weight.dimensions[0];
  return (feeds_a_loss(model, layer) ? 0.1 : 1.0) * std::sqrt(3.0 / static_cast<double>(inputs));
}

}  // namespace

std::vector<float> initial_parameters(const ModelSpec& model, std::uint64_t seed) {
  std::vector<float> values(static_cast<std::size_t>(model.parameters()));
  std::uint64_t tensor_index = 0;
  for (const ArenaTensor& tensor : arena_layout(model, execution_order(model))) {
    const std::uint64_t key = stream_key(Stream::parameters, seed, tensor_index++);
    const LayerSpec& layer = model.layers[static_cast<std::size_t>(tensor.layer)];
    float* value = values.data() + tensor.offset;
    if (tensor.parameter == 1) continue;
    if (std::holds_alternative<BatchNorm>(layer.operation)) {
      std::fill_n(value, tensor.elements, 1.0F);
      continue;
    }
    const double bound = weight_bound(model, tensor.layer, layer.parameters[0]);
    for (std::int64_t i = 0; i < tensor.elements; ++i)
      value[i] = static_cast<float>(bound * (2.0 * uniform(key, static_cast<std::uint64_t>(i)) - 1.0));
  }
  return values;
}

std::vector<float> synthetic_images(const Shape& shape, int batch, std::uint64_t seed, int rank) {
  const std::uint64_t key = stream_key(Stream::images, seed, static_cast<std::uint64_t>(rank));
  std::vector<float> values(static_cast<std::size_t>(shape.elements() * batch));
  for (std::size_t i = 0; i < values.size(); ++i) {  // Box and Muller's transform
    const double radius = std::sqrt(-2.0 * std::log1p(-uniform(key, 2 * i)));
    values[i] = static_cast<float>(radius * std::cos(2.0 * std::numbers::pi * uniform(key, 2 * i + 1)));
  }
  return values;
}

std::vector<int> synthetic_labels(int classes, int batch, std::uint64_t seed, int rank) {
  const std::uint64_t key = stream_key(Stream::labels, seed, static_cast<std::uint64_t>(rank));
  std::vector<int> labels(static_cast<std::size_t>(batch));
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<int>(uniform(key, i) * classes);
  return labels;
}

DropoutMask::DropoutMask(double ratio, std::uint64_t seed, int rank, int layer)
    : base_(stream_key(Stream::dropout, stream_key(Stream::dropout, seed, static_cast<std::uint64_t>(rank)),
                       static_cast<std::uint64_t>(layer))),
      threshold_(static_cast<std::uint64_t>(std::llround(ratio * 0x1p32))),
      scale_(static_cast<float>(1.0 / (1.0 - ratio))) {
  set_iteration(0);
}

}  // namespace mgbench

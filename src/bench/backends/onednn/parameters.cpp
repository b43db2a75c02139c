#include "bench/backends/onednn/parameters.h"

#include <algorithm>
#include <array>

#include "bench/backends/onednn/elementwise.h"

namespace mgbench::onednn {
namespace {

constexpr std::size_t kLine = 16;  ///< floats in a cache line and in a vector register

/// Where in a cache line the arena should begin so that most of its floats belong to tensors that begin one.
/// A classifier of 1000 classes, whose bias comes early in the arena, would else push every later tensor off
/// by half a line.
std::size_t best_start(const std::vector<ArenaTensor>& tensors) {
  std::array<std::int64_t, kLine> aligned{};
  for (const ArenaTensor& tensor : tensors)
    aligned[(kLine - static_cast<std::size_t>(tensor.offset) % kLine) % kLine] += tensor.elements;
  return static_cast<std::size_t>(std::max_element(aligned.begin(), aligned.end()) - aligned.begin());
}

void reorder(const dnnl::engine& engine, const Layout& from, const float* source, const Layout& to, float* target) {
  dnnl::stream stream(engine);
  dnnl::memory in(from, engine, const_cast<float*>(source));  // the interface has no memory that is only read
  dnnl::memory out(to, engine, target);
  dnnl::reorder(in, out).execute(stream, in, out);
  stream.wait();
}

}  // namespace

Parameters::Parameters(const ModelSpec& model, const dnnl::engine& engine) : engine_(engine) {
  const auto places = arena_layout(model, execution_order(model));
  for (const ArenaTensor& place : places) {
    const LayerSpec& layer = model.layers[static_cast<std::size_t>(place.layer)];
    const auto& dimensions = layer.parameters[place.parameter].dimensions;
    tensors_.push_back({place, plain_layout(Dimensions(dimensions.begin(), dimensions.end()))});
    size_ += static_cast<std::size_t>(place.elements);
  }
  const std::size_t start = best_start(places);
  values_ = carve(start);
  momentum_ = carve(start);
  gradients_ = carve(start);
}

float* Parameters::carve(std::size_t misalignment) {
  storage_.push_back(allocate_floats(size_ + kLine));
  return storage_.back().get() + misalignment;
}

void Parameters::lay_out(int layer, std::size_t parameter, const Layout& preferred) {
  auto& tensor = const_cast<Tensor&>(find(layer, parameter));
  tensor.layout = is_dense(preferred) ? preferred : plain_layout(preferred.dims());
}

const Parameters::Tensor& Parameters::find(int layer, std::size_t parameter) const {
  return *std::find_if(tensors_.begin(), tensors_.end(), [&](const Tensor& tensor) {
    return tensor.place.layer == layer && tensor.place.parameter == parameter;
  });
}

dnnl::memory Parameters::value(int layer, std::size_t parameter) const {
  const Tensor& tensor = find(layer, parameter);
  return {tensor.layout, engine_, values_ + tensor.place.offset};
}

dnnl::memory Parameters::gradient(int layer, std::size_t parameter) const {
  const Tensor& tensor = find(layer, parameter);
  return {tensor.layout, engine_, gradients_ + tensor.place.offset};
}

void Parameters::descend(const SgdOptions& options, int ranks) {
  onednn::descend(values_, momentum_, gradients_, size_, options, ranks);
}

std::vector<float> Parameters::to_plain(std::span<const float> arena) const {
  std::vector<float> plain(size_);
  for (const auto& [place, layout] : tensors_)
    reorder(engine_, layout, arena.data() + place.offset, plain_layout(layout.dims()), plain.data() + place.offset);
  return plain;
}

void Parameters::from_plain(std::span<const float> plain, std::span<float> arena) const {
  for (const auto& [place, layout] : tensors_)
    reorder(engine_, plain_layout(layout.dims()), plain.data() + place.offset, layout, arena.data() + place.offset);
}

}  // namespace mgbench::onednn

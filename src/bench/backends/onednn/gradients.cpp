#include "bench/backends/onednn/gradients.h"

#include <algorithm>
#include <utility>

#include "bench/backends/onednn/compilation.h"
#include "bench/backends/onednn/elementwise.h"

namespace mgbench::onednn {
namespace {

/// A buffer that can be overwritten: dense, and nobody else will read it.
bool is_exclusive(const Gradients::Addend& addend, std::size_t floats_an_image) {
  return addend.offset == 0 && addend.stride == floats_an_image && addend.buffer.storage.use_count() == 1;
}

}  // namespace

Gradients::Gradients(Compilation& compilation)
    : compilation_(compilation), addends_(compilation.request().model->layers.size()) {}

void Gradients::add(int layer, const Buffer& gradient) {
  Buffer buffer = compilation_.in_layout(gradient, compilation_.activation(layer).layout());
  const std::size_t stride = floats(buffer.layout()) / static_cast<std::size_t>(compilation_.batch());
  addends_[static_cast<std::size_t>(layer)].push_back({std::move(buffer), 0, stride});
}

void Gradients::add(int layer, const std::vector<Addend>& addends) {
  auto& all = addends_[static_cast<std::size_t>(layer)];
  all.insert(all.end(), addends.begin(), addends.end());
}

std::vector<Gradients::Addend> Gradients::take_addends(int layer) {
  return std::exchange(addends_[static_cast<std::size_t>(layer)], {});
}

Buffer Gradients::take(int layer) {
  return sum(layer, nullptr);
}

Buffer Gradients::take_where_positive(int layer) {
  return sum(layer, compilation_.activation(layer).data());
}

Buffer Gradients::sum(int layer, const float* mask) {
  std::vector<Addend> addends = take_addends(layer);
  const Layout layout = compilation_.activation(layer).layout();
  const auto images = static_cast<std::size_t>(compilation_.batch());
  const std::size_t size = floats(layout) / images;

  const bool dense = addends.size() == 1 && addends[0].offset == 0 && addends[0].stride == size;
  if (dense && mask == nullptr) return addends[0].buffer;

  const auto reusable =
      std::find_if(addends.begin(), addends.end(), [&](const Addend& addend) { return is_exclusive(addend, size); });
  Buffer result = reusable == addends.end() ? compilation_.pool().take(layout) : reusable->buffer;
  if (reusable != addends.end()) std::iter_swap(addends.begin(), reusable);  // sum_runs reads it first

  std::vector<Runs> runs;
  runs.reserve(addends.size());
  for (const Addend& addend : addends) runs.push_back({addend.buffer.data() + addend.offset, addend.stride});
  compilation_.emit([=, out = result.data(), runs = std::move(runs)] { sum_runs(out, runs, mask, images, size); });
  return result;
}

}  // namespace mgbench::onednn

#include "bench/network.h"

#include <algorithm>

#include "base/error.h"

namespace mgbench {
namespace {

std::span<float> arena_of(Network& network) {
  const GradientView view = network.gradients({0, network.outline().bytes()});
  require(view.space == MemorySpace::host && view.type == ElementType::float32,
          "this network's gradients are not numbers of the host");
  return {static_cast<float*>(view.data), view.count};
}

}  // namespace

const char* name_of(ElementType type) {
  if (type == ElementType::float16) return "float16";
  if (type == ElementType::bfloat16) return "bfloat16";
  return "float32";
}

std::unique_ptr<Graph> Network::capture(const std::function<void()>&) {
  fail(ExitCode::not_measured, "a network without a device has nothing to capture");
}

std::vector<float> Network::stored_gradients() {
  synchronize();
  const std::span<const float> arena = arena_of(*this);
  return {arena.begin(), arena.end()};
}

void Network::store_gradients(std::span<const float> values) {
  synchronize();
  const std::span<float> arena = arena_of(*this);
  require(values.size() == arena.size(), "{} gradients for an arena of {}", values.size(), arena.size());
  std::ranges::copy(values, arena.begin());
}

}  // namespace mgbench

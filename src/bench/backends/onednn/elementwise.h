#pragma once

#include <cstddef>
#include <span>

#include "bench/network.h"

namespace mgbench::onednn {

/// Loops that oneDNN has no primitive for, or only one that passes over memory more often. They work on
/// floats of equal layouts, padding included: padding holds zeros, and all of them map zeros to zero.

/// out = max(in, 0)
void rectify(float* out, const float* in, std::size_t size);

/// out = left + right
void add(float* out, const float* left, const float* right, std::size_t size);
/// out = max(left + right, 0)
void add_and_rectify(float* out, const float* left, const float* right, std::size_t size);

/// out = left * right
void multiply(float* out, const float* left, const float* right, std::size_t size);

/// For each image a run of floats, `stride` floats from one image's to the next one's.
struct Runs {
  const float* data = nullptr;
  std::size_t stride = 0;
};

/// out[image][i] = sum of the addends' [image][i], and 0 where `mask` is given and not positive: the gradient
/// of a ReLU, from its output. `out` and `mask` are dense ([images][size]). The first addend may be `out`
/// itself.
void sum_runs(float* out, std::span<const Runs> addends, const float* mask, std::size_t images, std::size_t size);

/// v = momentum v + (g / ranks + decay w); w = w - rate v, in one pass.
void descend(float* weights, float* velocity, const float* gradients, std::size_t size, const SgdOptions& options,
             int ranks);

}  // namespace mgbench::onednn

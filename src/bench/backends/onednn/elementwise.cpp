#include "bench/backends/onednn/elementwise.h"

#include <algorithm>

namespace mgbench::onednn {
namespace {

/// Three operands of it fit a first-level cache.
constexpr std::size_t kChunk = 2048;

template <typename Function>
void for_each_chunk(std::size_t size, Function function) {
  const std::size_t chunks = (size + kChunk - 1) / kChunk;
#pragma omp parallel for schedule(static)
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) function(chunk * kChunk, std::min(size, (chunk + 1) * kChunk));
}

/// By value: std::max returns a reference, which keeps loops from being vectorized.
float positive_part(float x) {
  return x > 0.0F ? x : 0.0F;
}

void add_chunk(float* out, const float* left, const float* right, std::size_t size) {
#pragma omp simd
  for (std::size_t i = 0; i < size; ++i) out[i] = left[i] + right[i];
}

/// A pass of its own: gcc would move an addition into the branch, and then not vectorize the loop.
void copy_where_positive(float* out, const float* in, const float* mask, std::size_t size) {
#pragma omp simd
  for (std::size_t i = 0; i < size; ++i) {
    const float value = in[i];  // read in any case: a branch is mispredicted half of the time, at twenty times the cost
    out[i] = mask[i] > 0.0F ? value : 0.0F;
  }
}

}  // namespace

void rectify(float* out, const float* in, std::size_t size) {
  for_each_chunk(size, [=](std::size_t begin, std::size_t end) {
#pragma omp simd
    for (std::size_t i = begin; i < end; ++i) out[i] = positive_part(in[i]);
  });
}

void add(float* out, const float* left, const float* right, std::size_t size) {
  for_each_chunk(size, [=](std::size_t begin, std::size_t end) {
#pragma omp simd
    for (std::size_t i = begin; i < end; ++i) out[i] = left[i] + right[i];
  });
}

void add_and_rectify(float* out, const float* left, const float* right, std::size_t size) {
  for_each_chunk(size, [=](std::size_t begin, std::size_t end) {
#pragma omp simd
    for (std::size_t i = begin; i < end; ++i) out[i] = positive_part(left[i] + right[i]);
  });
}

void multiply(float* out, const float* left, const float* right, std::size_t size) {
  for_each_chunk(size, [=](std::size_t begin, std::size_t end) {
#pragma omp simd
    for (std::size_t i = begin; i < end; ++i) out[i] = left[i] * right[i];
  });
}

void sum_runs(float* out, std::span<const Runs> addends, const float* mask, std::size_t images, std::size_t size) {
  const std::size_t chunks = (size + kChunk - 1) / kChunk;
#pragma omp parallel for collapse(2) schedule(static)
  for (std::size_t image = 0; image < images; ++image)
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      const std::size_t begin = chunk * kChunk;
      const std::size_t length = std::min(kChunk, size - begin);
      float* const sum = out + image * size + begin;
      const float* partial = addends[0].data + image * addends[0].stride + begin;
      for (const Runs& addend : addends.subspan(1)) {
        add_chunk(sum, partial, addend.data + image * addend.stride + begin, length);
        partial = sum;
      }
      if (mask != nullptr)
        copy_where_positive(sum, partial, mask + image * size + begin, length);
      else if (partial != sum)
        std::copy_n(partial, length, sum);
    }
}

void descend(float* weights, float* velocity, const float* gradients, std::size_t size, const SgdOptions& options,
             int ranks) {
  const float share = 1.0F / static_cast<float>(ranks);
  const float rate = options.learning_rate;
  const float momentum = options.momentum;
  const float decay = options.weight_decay;
  for_each_chunk(size, [=](std::size_t begin, std::size_t end) {
#pragma omp simd
    for (std::size_t i = begin; i < end; ++i) {
      const float v = momentum * velocity[i] + (share * gradients[i] + decay * weights[i]);
      velocity[i] = v;
      weights[i] -= rate * v;
    }
  });
}

}  // namespace mgbench::onednn

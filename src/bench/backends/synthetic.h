#pragma once

#include <cstdint>
#include <vector>

#include "models/execution_order.h"
#include "models/model.h"

namespace mgbench {

/// What a replica starts from and feeds on. Every value is a function of a key and of its index in the plain
/// layout, drawn without state, so that backends, layouts and orders of evaluation all see the same.

/// A bijection of 64 bits whose outputs pass for random (the finalizer of SplitMix64, Steele et al. 2014).
constexpr std::uint64_t scramble(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

/// Learnable tensors in the arena's order, each in its plain layout; the same on every rank. Weights are uniform with
/// variance 1 / inputs, with a tenth of that deviation where a loss reads the layer, so that training starts from even
/// odds; biases are 0; batch norm starts with scale 1 and shift 0. (2 / inputs, as He et al. derive for layers before a
/// ReLU, makes AlexNet and GoogLeNet diverge at rates ten times as low.)
std::vector<float> initial_parameters(const ModelSpec& model, std::uint64_t seed);

/// Standard normal pixels, [batch, channels, height, width].
std::vector<float> synthetic_images(const Shape& shape, int batch, std::uint64_t seed, int rank);

/// Uniform over the classes, one an image.
std::vector<int> synthetic_labels(int classes, int batch, std::uint64_t seed, int rank);

/// Which elements of a dropout layer's output survive an iteration.
class DropoutMask {
 public:
  DropoutMask(double ratio, std::uint64_t seed, int rank, int layer);

  /// To be called before keeps(), once an iteration.
  void set_iteration(std::uint64_t iteration) { key_ = scramble(base_ ^ scramble(iteration)); }

  /// `element` counts in plain order [batch, channels, height, width].
  bool keeps(std::uint64_t element) const { return (scramble(key_ + element) >> 32U) >= threshold_; }

  /// What surviving elements are multiplied by.
  float scale() const { return scale_; }

  /// For devices that draw it themselves, from the base and the iteration's number.
  std::uint64_t base() const { return base_; }
  std::uint64_t threshold() const { return threshold_; }

 private:
  std::uint64_t base_;
  std::uint64_t key_ = 0;
  std::uint64_t threshold_;
  float scale_;
};

}  // namespace mgbench

#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "planner/cost_model.h"
#include "planner/merge_plan.h"
#include "planner/profile.h"

namespace mgbench {

/// Random profiles, costs and plans whose times are small multiples of 2^-20 s and whose rates are powers of
/// two, so that sums are exact in any order: what should be equal is equal to the last bit.
class RandomCase {
 public:
  explicit RandomCase(unsigned seed) : random_(seed) {}

  /// 1 to `most_steps` steps of up to three tensors, at least one in all; backward takes at least `least`
  /// ticks a step.
  Profile profile(int most_steps = 12, int least = 0) {
    Profile profile{.model = "random", .backend = "none", .batch = 1, .update = ticks(0, 500)};
    const int steps = integer(1, most_steps);
    for (int i = 0; i < steps; ++i) {
      Profile::Step step{
          .name = "step" + std::to_string(i), .forward = ticks(least, 300), .backward = ticks(least, 600)};
      const int tensors = integer(i == 0 ? 1 : 0, 3);
      for (int k = 0; k < tensors; ++k)
        step.tensors.push_back({.name = step.name + "." + std::to_string(k), .bytes = Bytes{4} * integer(1, 2000)});
      profile.steps.push_back(std::move(step));
    }
    return profile;
  }

  /// A line, or a curve through points at powers of two (so that the gaps are powers of two as well).
  CostModel cost(const Overlap& overlap = {}) {
    const Line line{.a = ticks(1, 400), .b = ticks(1, 40) / 256};
    if (integer(0, 1) == 0) return CostModel(line, overlap);
    Curve curve;
    Seconds seconds = 0;
    for (Bytes bytes = 4; bytes <= 32768; bytes *= 2) curve.push_back({bytes, seconds += ticks(1, 300)});
    return CostModel(curve, line, overlap);
  }

  Overlap overlap() {
    constexpr double kShares[] = {0, 0.5, 0.75, 1};
    constexpr double kStretches[] = {1, 2, 4};
    return {.core_share = kShares[integer(0, 3)],
            .stretch = kStretches[integer(0, 2)],
            .message_cpu = ticks(0, 30),
            .notice = integer(0, 1) == 0 ? 0 : ticks(0, 60)};
  }

  MergePlan plan(std::size_t tensors) {
    std::vector<std::size_t> ends;
    for (std::size_t end = 1; end < tensors; ++end)
      if (integer(0, 1) == 0) ends.push_back(end);
    ends.push_back(tensors);
    return MergePlan(std::move(ends));
  }

 private:
  int integer(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }
  Seconds ticks(int low, int high) { return integer(low, high) / 1048576.0; }

  std::mt19937 random_;
};

}  // namespace mgbench

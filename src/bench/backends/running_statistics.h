#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "models/operation.h"

namespace mgbench {

/// The averages that a batch norm keeps for inference. Training computes them and does not read them, so they
/// are no part of a network's state, and they differ by rank.
class RunningStatistics {
 public:
  explicit RunningStatistics(std::size_t channels) : mean_(channels, 0.0F), variance_(channels, 1.0F) {}

  /// running = (1 - momentum) running + momentum * statistic of a batch of `count` elements a channel;
  /// `variance` is the biased one, and what is averaged is variance * count / (count - 1) (a count of 1 has
  /// no unbiased one: as it is).
  template <typename Scalar>
  void update(const BatchNorm& norm, const Scalar* mean, const Scalar* variance, double count) {
    const auto momentum = static_cast<float>(norm.momentum);
    const auto unbiased = static_cast<float>(norm.momentum * count / std::max(count - 1, 1.0));
    for (std::size_t c = 0; c < mean_.size(); ++c) {
      mean_[c] += momentum * (static_cast<float>(mean[c]) - mean_[c]);
      variance_[c] = (1.0F - momentum) * variance_[c] + unbiased * static_cast<float>(variance[c]);
    }
  }

  const std::vector<float>& mean() const { return mean_; }
  const std::vector<float>& variance() const { return variance_; }

 private:
  std::vector<float> mean_;
  std::vector<float> variance_;
};

}  // namespace mgbench

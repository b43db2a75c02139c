#include "planner/rank_spread.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <random>

#include "base/error.h"

namespace mgbench {

RankSpread RankSpread::normal(double deviation) {
  require(std::isfinite(deviation) && deviation >= 0 && deviation < 1,
          "spread of ranks: a relative standard deviation of {}; expected 0 to 1", deviation);
  RankSpread spread;
  spread.deviation_ = deviation;
  return spread;
}

RankSpread RankSpread::measured(const std::vector<double>& slowest, int ranks) {
  constexpr std::size_t kFewest = 20;
  require(slowest.size() >= kFewest, "spread of ranks: {} samples; expected at least {}", slowest.size(), kFewest);
  require(ranks >= 1, "spread of ranks: {} ranks; expected at least one", ranks);
  RankSpread spread;
  spread.ranks_ = ranks;
  spread.factors_ = slowest;
  std::sort(spread.factors_.begin(), spread.factors_.end());
  require(spread.factors_.front() > 0 && std::isfinite(spread.factors_.back()),
          "spread of ranks: samples from {} to {} s; expected positive, finite times", spread.factors_.front(),
          spread.factors_.back());
  const double typical = spread.factors_[spread.factors_.size() / 2];
  for (double& factor : spread.factors_) factor /= typical;
  return spread;
}

std::vector<double> RankSpread::slowest(int ranks, int draws, std::uint64_t seed) const {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<double> result;
  result.reserve(static_cast<std::size_t>(draws));
  for (int draw = 0; draw < draws; ++draw) {
    // The quantile that the slowest of `ranks` has in the distribution of one (or of the measured number).
    const double quantile = std::pow(uniform(random), static_cast<double>(ranks_) / ranks);
    if (factors_.empty()) {
      constexpr double kLeast = 1e-12;  // of either tail, where the normal's quantile is infinite
      const double z = boost::math::quantile(boost::math::normal(), std::clamp(quantile, kLeast, 1 - kLeast));
      result.push_back(std::max(0.0, 1 + deviation_ * z));
    } else {
      const auto index = static_cast<std::size_t>(quantile * static_cast<double>(factors_.size()));
      result.push_back(factors_[std::min(index, factors_.size() - 1)]);
    }
  }
  return result;
}

}  // namespace mgbench

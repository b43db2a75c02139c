#pragma once

#include <cstdint>
#include <vector>

namespace mgbench {

/// How much computation varies from rank to rank and iteration to iteration, as a factor of its typical time. Ranks
/// vary independently.
class RankSpread {
 public:
  /// Normal, with this relative standard deviation. Throws Error unless it is finite, >= 0 and below 1.
  static RankSpread normal(double deviation);
  /// Measured: iterations without communication of the slowest of `ranks` ranks. The slowest of P ranks has the
  /// distribution F(t)^(P / ranks), where F is theirs; no factor is above the largest one measured. Throws Error with
  /// fewer than 20 samples or any that is not positive and finite.
  static RankSpread measured(const std::vector<double>& slowest, int ranks);

  /// Factors of the slowest of `ranks` ranks in independent iterations, drawn with a seed.
  std::vector<double> slowest(int ranks, int draws, std::uint64_t seed) const;

 private:
  RankSpread() = default;

  double deviation_ = 0;
  std::vector<double> factors_;  // sorted; empty: normal
  int ranks_ = 1;
};

}  // namespace mgbench

#include "report/log_estimate.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "base/error.h"

namespace mgbench {
namespace {

MedianEstimate estimate(double median, double low, double high) {
  return {.median = median, .interval = Interval{low, high}, .samples = 10};
}

TEST(LogEstimate, IsTheEstimateAgain) {
  const Interval interval = interval_of(log_estimate(estimate(2, 1.5, 3)));
  EXPECT_DOUBLE_EQ(interval.low, 1.5);
  EXPECT_DOUBLE_EQ(interval.high, 3);
}

TEST(LogEstimate, CountsFromWhatStandsBeside) {
  const LogEstimate shifted = log_estimate(estimate(-0.5, -1, 1), 2);
  EXPECT_DOUBLE_EQ(shifted.center, std::log(1.5));
  EXPECT_DOUBLE_EQ(shifted.below, std::log(1.5 / 1.0));
  EXPECT_DOUBLE_EQ(shifted.above, std::log(3.0 / 1.5));
}

TEST(LogEstimate, AnIntervalThatReachesZeroHasNoLowerBound) {
  EXPECT_EQ(interval_of(log_estimate(estimate(2, 0, 3))).low, 0);
  EXPECT_EQ(interval_of(log_estimate(estimate(2, -1, 3))).low, 0);
}

TEST(LogEstimate, QuotientsJoinTheArmsThatPointTheSameWay) {
  const LogEstimate ratio =
      quotient({.center = 1, .below = 0.3, .above = 0.6}, {.center = 0.4, .below = 0.8, .above = 0.4});
  EXPECT_DOUBLE_EQ(ratio.center, 0.6);
  EXPECT_DOUBLE_EQ(ratio.below, 0.5);
  EXPECT_DOUBLE_EQ(ratio.above, 1.0);
}

TEST(LogEstimate, MeansAreAsCertainAsTheirNumber) {
  const std::array<LogEstimate, 4> equal{{{1, 0.2, 0.4}, {2, 0.2, 0.4}, {3, 0.2, 0.4}, {4, 0.2, 0.4}}};
  const LogEstimate of_all = mean(equal);
  EXPECT_DOUBLE_EQ(of_all.center, 2.5);
  EXPECT_DOUBLE_EQ(of_all.below, 0.1);
  EXPECT_DOUBLE_EQ(of_all.above, 0.2);
  EXPECT_THROW(mean({}), Error);
}

TEST(LogEstimate, QuotientsOfMediansHoldTheTruth) {
  std::mt19937_64 random(5);
  std::exponential_distribution<double> skewed(20);
  int held = 0;
  constexpr int kCases = 2000;
  for (int i = 0; i < kCases; ++i) {
    const auto draw = [&](double scale, std::size_t rounds) {
      std::vector<double> values;
      while (values.size() < rounds) values.push_back(scale * (1 + skewed(random)));
      return estimate_median(values);
    };
    const Interval ratio = interval_of(quotient(log_estimate(draw(3, 9)), log_estimate(draw(2, 14))));
    held += ratio.low <= 1.5 && 1.5 <= ratio.high ? 1 : 0;
  }
  EXPECT_GE(held, 0.95 * kCases);
}

}  // namespace
}  // namespace mgbench

#include "report/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

#include "base/error.h"

namespace mgbench {
namespace {

std::vector<double> one_to(std::size_t n) {
  std::vector<double> values(n);
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

/// The rank of the lower bound by counting subsets: the largest k with 2 sum_{i<k} C(n, i) / 2^n <= 5 %.
std::size_t counted_rank(std::size_t n) {
  std::uint64_t choose = 1;
  std::uint64_t outside = 0;
  std::size_t k = 0;
  while (true) {
    outside += 2 * choose;
    if (20 * outside > (std::uint64_t{1} << n)) return k;
    choose = choose * (n - k) / (k + 1);
    ++k;
  }
}

TEST(Median, IsTheMiddleValueOrTheMeanOfTheTwo) {
  EXPECT_EQ(median(std::vector<double>{3}), 3);
  EXPECT_EQ(median(std::vector<double>{9, 1, 5}), 5);
  EXPECT_EQ(median(std::vector<double>{4, 1, 100, 2}), 3);
  EXPECT_THROW(median({}), Error);
  EXPECT_THROW(estimate_median({}), Error);
}

TEST(MedianInterval, HasTheLargestRanksThatCoverNinetyFivePercent) {
  for (std::size_t n = 1; n <= 56; ++n) {
    const MedianEstimate estimate = estimate_median(one_to(n));
    const std::size_t rank = counted_rank(n);
    EXPECT_EQ(estimate.interval.has_value(), rank > 0) << n;
    EXPECT_EQ(estimate.samples, n);
    if (!estimate.interval) continue;
    EXPECT_EQ(estimate.interval->low, static_cast<double>(rank)) << n;
    EXPECT_EQ(estimate.interval->high, static_cast<double>(n + 1 - rank)) << n;
  }
}

TEST(MedianInterval, NeedsSixSamples) {
  EXPECT_FALSE(estimate_median(one_to(5)).interval);
  EXPECT_TRUE(estimate_median(one_to(6)).interval);
}

TEST(MedianInterval, AgreesWithTheNormalApproximationForManySamples) {
  const std::size_t n = 10000;  // 2^-n is not a double
  const MedianEstimate estimate = estimate_median(one_to(n));
  ASSERT_TRUE(estimate.interval);
  EXPECT_NEAR(estimate.interval->low, n / 2.0 - 1.96 * std::sqrt(n) / 2, 2);
  EXPECT_EQ(estimate.interval->low + estimate.interval->high, n + 1.0);
}

/// Distribution-free: the share of intervals that hold the true median is the binomial's, whatever the
/// distribution.
TEST(MedianInterval, CoversTheMedianOfAnyDistribution) {
  using Draw = std::function<double(std::mt19937_64&)>;
  const auto uniform = [](std::mt19937_64& random) { return (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53; };
  struct Distribution {
    const char* name;
    Draw draw;
    double median;
  };
  const std::vector<Distribution> distributions{
      {"uniform", uniform, 0.5},
      {"exponential", [&](auto& random) { return -std::log(uniform(random)); }, std::log(2.0)},
      {"Cauchy", [&](auto& random) { return std::tan(M_PI * (uniform(random) - 0.5)); }, 0},
      {"a spike in ten of 100 times",
       [&](auto& random) { return (random() % 10 == 0 ? 100 : 1) * (1 + uniform(random)); }, 1 + 5.0 / 9},
  };
  std::mt19937_64 random(20261129);
  const int trials = 20000;
  for (const auto& [n, exact] :
       std::vector<std::pair<std::size_t, double>>{{6, 0.96875}, {10, 0.978516}, {30, 0.957226}})
    for (const Distribution& distribution : distributions) {
      int covered = 0;
      for (int trial = 0; trial < trials; ++trial) {
        std::vector<double> values(n);
        for (double& value : values) value = distribution.draw(random);
        const Interval interval = estimate_median(values).interval.value();
        covered += interval.low <= distribution.median && distribution.median <= interval.high ? 1 : 0;
      }
      const double error = 4 * std::sqrt(exact * (1 - exact) / trials);
      EXPECT_NEAR(static_cast<double>(covered) / trials, exact, error) << distribution.name << ", " << n << " samples";
    }
}

TEST(Ratio, IsPaired) {
  // Rounds differ by a factor of up to ten, but in each of them the other takes 1.25 times as long.
  const std::vector<double> own{1, 10, 2, 8, 4, 5, 1, 3};
  std::vector<double> other(own.size());
  std::transform(own.begin(), own.end(), other.begin(), [](double value) { return 1.25 * value; });
  const MedianEstimate ratio = estimate_ratio(other, own);
  EXPECT_DOUBLE_EQ(ratio.median, 1.25);
  ASSERT_TRUE(ratio.interval);
  EXPECT_DOUBLE_EQ(ratio.interval->low, 1.25);
  EXPECT_FALSE(not_distinguishable(ratio));
  EXPECT_THROW(estimate_ratio(other, std::span(own).first(3)), Error);
}

TEST(Ratio, IsNotDistinguishableAroundOneOrWithoutAnInterval) {
  EXPECT_TRUE(not_distinguishable({.median = 1.01, .interval = Interval{0.99, 1.03}, .samples = 10}));
  EXPECT_TRUE(not_distinguishable({.median = 1.01, .interval = Interval{1.0, 1.03}, .samples = 10}));
  EXPECT_TRUE(not_distinguishable({.median = 2, .interval = {}, .samples = 3}));
  EXPECT_FALSE(not_distinguishable({.median = 0.97, .interval = Interval{0.96, 0.99}, .samples = 10}));
}

TEST(Uncertainty, IsHalfTheWidthByTheMedian) {
  EXPECT_DOUBLE_EQ(relative_uncertainty({.median = 2, .interval = Interval{1.9, 2.3}, .samples = 10}), 0.1);
  EXPECT_TRUE(std::isinf(relative_uncertainty({.median = 2, .interval = {}, .samples = 4})));
}

}  // namespace
}  // namespace mgbench

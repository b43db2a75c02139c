#include "report/rank_times.h"

#include <gtest/gtest.h>

#include <random>

#include "base/error.h"

namespace mgbench {
namespace {

/// Known to 1 % either way.
std::vector<MedianEstimate> ranks(const std::vector<double>& seconds, double uncertainty = 0.01) {
  std::vector<MedianEstimate> result;
  for (const double value : seconds)
    result.push_back(
        {.median = value, .interval = Interval{value * (1 - uncertainty), value * (1 + uncertainty)}, .samples = 10});
  return result;
}

std::vector<int> slow_ones(const RankTimes& times) {
  std::vector<int> result;
  for (const RankTime& each : times.slowest)
    if (each.slow) result.push_back(each.rank);
  return result;
}

TEST(CompareRanks, OneRankIsNeverSlow) {
  const RankTimes times = compare_ranks(ranks({3}));
  EXPECT_EQ(times.typical, 3);
  EXPECT_EQ(times.spread, 0);
  EXPECT_EQ(times.lost, 0);
  ASSERT_EQ(times.slowest.size(), 1U);
  EXPECT_FALSE(times.slowest[0].slow);
  EXPECT_EQ(times.slowest[0].ratio, 1);
  EXPECT_THROW(compare_ranks({}), Error);
}

TEST(CompareRanks, OfTwoTheSlowerOneIsNamed) {
  const RankTimes times = compare_ranks(ranks({0.30, 0.42}));
  EXPECT_EQ(slow_ones(times), std::vector<int>{1});
  EXPECT_DOUBLE_EQ(times.slowest[0].ratio, 1.4);
  EXPECT_NEAR(times.lost, 0.12, 1e-12);
  EXPECT_NEAR(times.typical, 0.36, 1e-12);
  EXPECT_TRUE(slow_ones(compare_ranks(ranks({0.300, 0.314}))).empty()) << "under 5 %";
  EXPECT_TRUE(slow_ones(compare_ranks(ranks({0.30, 0.42}, 0.2))).empty()) << "intervals overlap";
}

TEST(CompareRanks, OfThreeAndFourAnyNumberUpToHalfCanBeSlow) {
  EXPECT_EQ(slow_ones(compare_ranks(ranks({1, 1.4, 1}))), std::vector<int>{1});
  EXPECT_EQ(slow_ones(compare_ranks(ranks({1, 1, 1.01, 1.4}))), std::vector<int>{3});
  const RankTimes two = compare_ranks(ranks({1, 1.4, 1.5, 1.02}));
  EXPECT_EQ(slow_ones(two), (std::vector<int>{2, 1}));
  EXPECT_DOUBLE_EQ(two.lost, 1.5 - 1.02) << "were both like the slowest of the others";
  EXPECT_TRUE(slow_ones(compare_ranks(ranks({1.4, 1.4, 1}))).empty()) << "one rank is fast, none is slow";
}

TEST(CompareRanks, NobodyIsSlowWithinTheSpreadOfRanks) {
  EXPECT_TRUE(slow_ones(compare_ranks(ranks({1, 1.1, 1.2, 1.3}))).empty());
  std::vector<MedianEstimate> uncertain = ranks({1, 1, 1, 2});
  uncertain[0].interval.reset();
  EXPECT_EQ(slow_ones(compare_ranks(uncertain)), std::vector<int>{3});
}

TEST(CompareRanks, TooFewRoundsForAnIntervalTakeAQuarterMoreTime) {
  const auto few = [](const std::vector<double>& seconds, std::size_t rounds) {
    std::vector<MedianEstimate> result = ranks(seconds);
    for (MedianEstimate& rank : result) rank.interval.reset(), rank.samples = rounds;
    return slow_ones(compare_ranks(result));
  };
  EXPECT_EQ(few({1, 1, 1, 1.26}, 2), std::vector<int>{3});
  EXPECT_TRUE(few({1, 1, 1, 1.24}, 2).empty());
  EXPECT_EQ(few({0.87, 1.70}, 2), std::vector<int>{1});
  EXPECT_TRUE(few({0.87, 1.70}, 1).empty()) << "a single round may have had a hiccup";
}

TEST(CompareRanks, OfAThousandThatSpreadNoneIsSlowAndAPlantedOneIsFound) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal(0.5, 0.02);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<double> seconds(1000);
    for (double& value : seconds) value = normal(random);
    EXPECT_TRUE(slow_ones(compare_ranks(ranks(seconds))).empty());
    seconds[700] = 0.69;
    const RankTimes times = compare_ranks(ranks(seconds));
    EXPECT_EQ(slow_ones(times), std::vector<int>{700});
    EXPECT_EQ(times.slowest.size(), 10U);
    EXPECT_NEAR(times.slowest[0].ratio, 1.38, 0.01);
    EXPECT_NEAR(times.spread * 1.4826, 0.02, 0.003);
    EXPECT_DOUBLE_EQ(times.lost, 0.69 - times.slowest[1].seconds);
  }
}

TEST(CompareRanks, CountsSlowRanksBeyondTheTenThatItNames) {
  std::vector<double> seconds(1000, 1.0);
  for (std::size_t rank = 100; rank < 132; ++rank) seconds[rank] = 1.5;  // one host of 32
  const RankTimes times = compare_ranks(ranks(seconds));
  EXPECT_EQ(times.slow, 32U);
  EXPECT_EQ(times.slowest.size(), 10U);
  EXPECT_DOUBLE_EQ(times.lost, 0.5);
}

}  // namespace
}  // namespace mgbench

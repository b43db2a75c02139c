#include "report/drift.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace mgbench {
namespace {

std::size_t inversions(const std::vector<double>& values) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) count += values[j] > values[i] ? 1 : 0;
  return count;
}

TEST(Trend, ProbabilityIsTheShareOfOrdersThatAreAsClear) {
  for (std::size_t n = 2; n <= 7; ++n) {
    std::vector<double> order(n);
    std::iota(order.begin(), order.end(), 1.0);
    const std::size_t pairs = n * (n - 1) / 2;
    std::vector<std::size_t> orders_with(pairs + 1);  // so many pairs out of order
    do ++orders_with[inversions(order)];
    while (std::next_permutation(order.begin(), order.end()));
    const auto all = std::accumulate(orders_with.begin(), orders_with.end(), 0.0);
    do {
      const std::size_t fewer = std::min(inversions(order), pairs - inversions(order));
      const auto as_clear = std::accumulate(orders_with.begin(), orders_with.begin() + fewer + 1, 0.0);
      ASSERT_NEAR(trend_probability(order), std::min(1.0, 2 * as_clear / all), 1e-12);
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

/// Shares of orders of `n` values by the number of pairs out of order, by counting: the n-th value stands behind 0 to n
/// - 1 smaller ones.
std::vector<double> shares_by_inversions(std::size_t n) {
  std::vector<double> shares{1};
  for (std::size_t values = 2; values <= n; ++values) {
    std::vector<double> next(values * (values - 1) / 2 + 1);
    for (std::size_t k = 0; k < shares.size(); ++k)
      for (std::size_t more = 0; more < values; ++more) next[k + more] += shares[k] / static_cast<double>(values);
    shares = std::move(next);
  }
  return shares;
}

TEST(Trend, OfManyRoundsIsAlmostTheShareOfOrders) {
  // Beyond a hundred values by the normal distribution.
  constexpr std::size_t kValues = 120;
  const std::vector<double> shares = shares_by_inversions(kValues);
  for (const std::size_t swapped : {2900UL, 3000UL, 3100UL, 3400UL, 3570UL}) {
    // In order but for `swapped` pairs: the largest values go to the front, one after the other.
    std::vector<double> values;
    std::size_t left = swapped;
    for (std::size_t value = 0; value < kValues; ++value) {
      const std::size_t before = std::min(left, value);
      left -= before;
      values.insert(values.end() - static_cast<std::ptrdiff_t>(before), static_cast<double>(value));
    }
    ASSERT_EQ(inversions(values), swapped);
    const double exact =
        2 * std::accumulate(shares.begin(), shares.begin() + static_cast<std::ptrdiff_t>(swapped) + 1, 0.0);
    const double ratio = trend_probability(values) / std::min(1.0, exact);
    EXPECT_GT(ratio, 0.99) << exact;
    EXPECT_LT(ratio, 1.06) << exact;
  }
}

TEST(Trend, OfNothingOrOfEqualValuesIsNone) {
  EXPECT_EQ(trend_probability({}), 1);
  EXPECT_EQ(trend_probability({3}), 1);
  EXPECT_EQ(trend_probability(std::vector<double>(20, 3.0)), 1);
}

TEST(Trend, OfHundredsOfRoundsIsAProbabilityToo) {
  std::vector<double> values(400);
  std::iota(values.begin(), values.end(), 1.0);
  EXPECT_LT(trend_probability(values), 1e-9);
  std::shuffle(values.begin(), values.end(), std::mt19937_64(3));
  EXPECT_GT(trend_probability(values), 0.01);
  EXPECT_LE(trend_probability(values), 1);
}

/// Four strategies and computation alone: noise of 1 % each, 1 % a round for all; `machine` and `third` multiply
/// linearly over the rounds, `third` the third strategy alone.
RunResult run(int rounds, double machine, double third, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  RunResult result;
  result.strategies.resize(4);
  for (std::size_t i = 0; i < 4; ++i) result.strategies[i].strategy = std::to_string(i + 1);
  for (int round = 0; round < rounds; ++round) {
    const double done = static_cast<double>(round) / (rounds - 1);
    const double mood = (1 + 0.01 * normal(random)) * (1 + machine * done);
    const auto sample = [&](Seconds time) {
      Sample made;
      made.round = round;
      made.iteration = time * mood * (1 + 0.01 * normal(random));
      return made;
    };
    for (std::size_t i = 0; i < 4; ++i)
      result.strategies[i].samples.push_back(sample((1.0 + static_cast<double>(i)) * (i == 2 ? 1 + third * done : 1)));
    result.without_communication.push_back(sample(0.7));
  }
  return result;
}

TEST(DriftOfARun, IsReportedInOneOfAHundredWhereThereIsNone) {
  std::mt19937_64 random(20261130);
  int alarms = 0;
  for (int i = 0; i < 2000; ++i) {
    const Drift drift = find_drift(run(6 + i % 20, 0, 0, random));
    alarms += drift.machine || !drift.strategies.empty() ? 1 : 0;
  }
  EXPECT_LE(alarms, 2000 * 0.01 + 3 * std::sqrt(20.0));
  EXPECT_GE(alarms, 1) << "a test that never speaks";
}

TEST(DriftOfARun, IsFoundWhereTheMachineSlowsDown) {
  std::mt19937_64 random(7);
  int found = 0;
  int of_strategies = 0;
  for (int i = 0; i < 300; ++i) {
    const Drift drift = find_drift(run(20, 0.05, 0, random));
    found += drift.machine && *drift.machine > 1.01 && *drift.machine < 1.07 ? 1 : 0;
    of_strategies += drift.strategies.empty() ? 0 : 1;
  }
  EXPECT_GE(found, 270);
  EXPECT_LE(of_strategies, 10) << "ratios hold";
}

TEST(DriftOfARun, IsFoundWhereOneStrategySlowsDown) {
  std::mt19937_64 random(8);
  int found = 0;
  for (int i = 0; i < 300; ++i) {
    const Drift drift = find_drift(run(20, 0, 0.1, random));
    if (drift.strategies.size() == 1 && drift.strategies[0].first == "3" && drift.strategies[0].second > 1.03) ++found;
  }
  EXPECT_GE(found, 240);
}

TEST(DriftOfARun, LeavesOutWhatWasDroppedOrFailed) {
  std::mt19937_64 random(9);
  RunResult result = run(20, 0, 0.3, random);
  EXPECT_EQ(find_drift(result).strategies.size(), 1U);
  result.strategies[2].dropped = Dropped{20, "1"};
  EXPECT_TRUE(find_drift(result).strategies.empty());
  result.strategies[2].dropped.reset();
  result.strategies[2].failure = "wrong sums";
  EXPECT_TRUE(find_drift(result).strategies.empty());
  EXPECT_FALSE(find_drift(RunResult{}).machine);
}

TEST(DriftOfRounds, IsTheLastThirdAgainstTheFirst) {
  const RoundTimes times{{0, 10}, {3, 11}, {4, 12}, {5, 13}, {6, 14}, {9, 16}, {10, 17}};
  EXPECT_DOUBLE_EQ(drift_of(times, 0.01).value(), 16.0 / 11);
  EXPECT_FALSE(drift_of(times, 0.0003)) << "2 of 5040 orders";
  EXPECT_FALSE(drift_of({{0, 1000}, {1, 1001}, {2, 1002}, {3, 1003}, {4, 1004}, {5, 1005}, {6, 1006}}, 0.01))
      << "under 1 %";
}

}  // namespace
}  // namespace mgbench

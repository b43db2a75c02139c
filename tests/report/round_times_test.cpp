#include "report/round_times.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>

namespace mgbench {
namespace {

Sample sample(int round, int position, Seconds iteration, bool rejected = false) {
  Sample result;
  result.round = round;
  result.position = position;
  result.iteration = iteration;
  result.rejected = rejected;
  return result;
}

TEST(RoundTimes, AreMediansOfWhatCounts) {
  const RoundTimes times = round_times({sample(3, 0, 1), sample(3, 1, 9), sample(3, 2, 2), sample(5, 0, 4),
                                        sample(5, 1, 100, true), sample(6, 0, 7, true)});
  EXPECT_EQ(times, (RoundTimes{{3, 2}, {5, 4}}));
}

TEST(RoundTimes, GiveIntervalsFromSixRoundsOnHoweverManyIterationsTheyHave) {
  std::vector<Sample> samples;
  for (int round = 0; round < 5; ++round)
    for (int position = 0; position < 10; ++position) samples.push_back(sample(round, position, 1 + position));
  EXPECT_EQ(median_of_rounds(round_times(samples)).samples, 5U);
  EXPECT_FALSE(median_of_rounds(round_times(samples)).interval);
  samples.push_back(sample(5, 0, 7));
  EXPECT_EQ(median_of_rounds(round_times(samples)).interval.value().high, 7);
  EXPECT_EQ(median_of_rounds({}).samples, 0U);
}

TEST(RoundTimes, RatiosArePairedByRound) {
  const auto ratio = ratio_by_rounds({{0, 2}, {1, 20}, {2, 5}, {9, 1}}, {{0, 1}, {1, 10}, {2, 2.5}, {7, 1}}).value();
  EXPECT_EQ(ratio.median, 2);
  EXPECT_EQ(ratio.samples, 3U);
  EXPECT_FALSE(ratio_by_rounds({{0, 1}}, {{1, 1}}));
}

/// Blocks of `kLength` iterations of eight contestants, in shuffled order after a discarded one each, on a machine in
/// some mood.
class Machine {
 public:
  using Noise = std::function<double(std::mt19937_64&)>;

  /// Noise of an iteration: `own` of its own, a mood that lasts over iterations with correlation `rho` from one to the
  /// next, and an offset that stays for a block.
  Machine(Noise own, double rho, Noise of_block) : own_(std::move(own)), rho_(rho), of_block_(std::move(of_block)) {}

  /// The first two contestants' samples; iterations of the second take 1.25 times as long as the first one's would.
  std::pair<std::vector<Sample>, std::vector<Sample>> run(int rounds, std::mt19937_64& random) const {
    std::normal_distribution<double> normal;
    double mood = normal(random);
    std::pair<std::vector<Sample>, std::vector<Sample>> samples;
    std::vector<int> order(8);
    std::iota(order.begin(), order.end(), 0);
    for (int round = 0; round < rounds; ++round) {
      std::shuffle(order.begin(), order.end(), random);
      for (const int contestant : order) {
        const double offset = of_block_(random);
        for (int position = -1; position < kLength; ++position) {
          mood = rho_ * mood + std::sqrt(1 - rho_ * rho_) * normal(random);
          if (position < 0 || contestant > 1) continue;
          const Seconds time = 100 + own_(random) + offset + (rho_ > 0 ? mood : 0);
          if (contestant == 0) samples.first.push_back(sample(round, position, time));
          if (contestant == 1) samples.second.push_back(sample(round, position, 1.25 * time));
        }
      }
    }
    return samples;
  }

 private:
  static constexpr int kLength = 10;
  Noise own_;
  double rho_;
  Noise of_block_;
};

struct Mood {
  const char* name;
  Machine machine;
  double median;  ///< of an iteration, less 100
};

std::vector<Mood> moods() {
  const auto none = [](std::mt19937_64&) { return 0.0; };
  const auto normal = [](std::mt19937_64& random) { return std::normal_distribution<double>()(random); };
  const auto exponential = [](std::mt19937_64& random) { return std::exponential_distribution<double>()(random); };
  const auto spikes = [=](std::mt19937_64& random) { return (random() % 10 == 0 ? 30 : 1) * exponential(random); };
  return {
      {"independent, skewed, with spikes", {spikes, 0, none}, 0.82113},  // 0.9 e^-x + 0.1 e^(-x/30) = 1/2
      {"correlated by 0.3", {none, 0.3, none}, 0},
      {"correlated by 0.6", {none, 0.6, none}, 0},
      {"correlated by 0.9", {none, 0.9, none}, 0},
      {"offsets of blocks", {normal, 0, [=](auto& random) { return 3 * normal(random); }}, 0},
      {"skewed offsets of blocks", {none, 0, exponential}, std::log(2.0)},
  };
}

bool holds(const MedianEstimate& estimate, double value) {
  return estimate.interval.value().low <= value && value <= estimate.interval.value().high;
}

/// Shares of runs whose interval holds the truth.
struct Coverage {
  double by_rounds = 0;
  double ratio = 0;
  double by_iterations = 0;  ///< were each one a witness
};

Coverage coverage(const Mood& mood, int rounds, int runs = 1000) {
  std::mt19937_64 random(20261130);
  Coverage covered;
  for (int i = 0; i < runs; ++i) {
    const auto [own, other] = mood.machine.run(rounds, random);
    std::vector<double> iterations;
    for (const Sample& each : own) iterations.push_back(each.iteration);
    covered.by_rounds += holds(median_of_rounds(round_times(own)), 100 + mood.median) ? 1.0 / runs : 0;
    covered.ratio += holds(ratio_by_rounds(round_times(other), round_times(own)).value(), 1.25) ? 1.0 / runs : 0;
    covered.by_iterations += holds(estimate_median(iterations), 100 + mood.median) ? 1.0 / runs : 0;
  }
  return covered;
}

/// Exactly 0.969, 0.961 and 0.959 were rounds independent.
TEST(RoundTimes, IntervalsHoldTheTruthWhateverTheMoodOfTheMachine) {
  for (const Mood& mood : moods())
    for (const int rounds : {6, 12, 20}) {
      const Coverage covered = coverage(mood, rounds);
      EXPECT_GE(covered.by_rounds, 0.93) << mood.name << ", " << rounds << " rounds";
      EXPECT_GE(covered.ratio, 0.93) << mood.name << ", " << rounds << " rounds";
    }
}

TEST(RoundTimes, IterationsAreNoIndependentWitnesses) {
  const std::vector<Mood> all = moods();
  EXPECT_GE(coverage(all[0], 12).by_iterations, 0.94);
  EXPECT_LE(coverage(all[3], 12).by_iterations, 0.75);
  EXPECT_LE(coverage(all[4], 12).by_iterations, 0.75);
}

}  // namespace
}  // namespace mgbench

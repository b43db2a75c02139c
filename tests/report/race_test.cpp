#include "report/race.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace mgbench {
namespace {

double binomial(std::size_t n, std::size_t k) {
  return std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0));
}

/// By Simpson's rule: the mixture whose density is 5 p^4 / (1 - 2^-5) over 1/2 <= p <= 1.
double integrated_evidence(std::size_t slower, std::size_t rounds) {
  const auto value = [&](double p) {
    return 5 * std::pow(p, 4) / (1 - std::pow(0.5, 5)) * std::pow(2 * p, slower) *
           std::pow(2 * (1 - p), rounds - slower);
  };
  constexpr int kSteps = 2000;
  double sum = value(0.5) + value(1);
  for (int i = 1; i < kSteps; ++i) sum += (i % 2 == 1 ? 4 : 2) * value(0.5 + 0.5 * i / kSteps);
  return sum * 0.5 / kSteps / 3;
}

TEST(Evidence, IsTheIntegralThatItClaimsToBe) {
  for (std::size_t rounds = 0; rounds <= 30; ++rounds)
    for (std::size_t slower = 0; slower <= rounds; ++slower)
      EXPECT_NEAR(evidence_of_slower(slower, rounds) / integrated_evidence(slower, rounds), 1, 1e-6)
          << slower << " of " << rounds;
  EXPECT_NEAR(evidence_of_slower(0, 0), 1, 1e-12);
}

TEST(Evidence, OfFairCoinsIsOneOnAverage) {
  for (const std::size_t rounds : {1U, 6U, 20U, 100U}) {
    double mean = 0;
    for (std::size_t slower = 0; slower <= rounds; ++slower)
      mean += binomial(rounds, slower) * std::pow(0.5, rounds) * evidence_of_slower(slower, rounds);
    EXPECT_NEAR(mean, 1, 1e-9) << rounds;
  }
}

TEST(Evidence, GrowsWithEachSlowerRoundAndFallsWithEachOther) {
  for (std::size_t rounds = 0; rounds < 300; ++rounds)
    for (std::size_t slower = 0; slower <= rounds; slower += 7) {
      EXPECT_GT(evidence_of_slower(slower + 1, rounds + 1), evidence_of_slower(slower, rounds));
      EXPECT_LT(evidence_of_slower(slower, rounds + 1), evidence_of_slower(slower, rounds));
    }
}

RoundTimes times_of(const std::vector<double>& values) {
  RoundTimes times;
  for (std::size_t i = 0; i < values.size(); ++i) times[static_cast<int>(i)] = values[i];
  return times;
}

std::vector<double> noisy(double time, std::size_t rounds, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> values;
  for (std::size_t i = 0; i < rounds; ++i)
    values.push_back(time * std::uniform_real_distribution<>(0.99, 1.01)(random));
  return values;
}

TEST(Losses, NeedSixRounds) {
  for (std::size_t rounds = 1; rounds <= 12; ++rounds) {
    const std::vector<Racer> racers{{.times = times_of(noisy(1, rounds, 1))}, {.times = times_of(noisy(2, rounds, 2))}};
    const std::vector<Loss> lost = losses(racers);
    ASSERT_EQ(lost.size(), rounds >= 6 ? 1U : 0U) << rounds;
    if (lost.empty()) continue;
    EXPECT_EQ(lost[0].loser, 1U);
    EXPECT_EQ(lost[0].winner, 0U);
    EXPECT_EQ(lost[0].rounds, rounds);
  }
}

TEST(Losses, NeedMoreRoundsWhereThereAreMoreContestants) {
  const auto first_loss = [](std::size_t others) {
    for (std::size_t rounds = 1;; ++rounds) {
      std::vector<Racer> racers{{.times = times_of(noisy(1, rounds, 1))}};
      for (unsigned i = 0; i < others; ++i) racers.push_back({.times = times_of(noisy(2, rounds, 2 + i))});
      if (!losses(racers).empty()) return rounds;
    }
  };
  EXPECT_EQ(first_loss(1), 6U);
  EXPECT_EQ(first_loss(7), 9U);
  EXPECT_EQ(first_loss(14), 10U);
}

TEST(Losses, EqualTimesAreNoEvidence) {
  const std::vector<double> equal(100, 1.0);
  EXPECT_TRUE(losses({{.times = times_of(equal)}, {.times = times_of(equal)}, {.times = times_of(equal)}}).empty());
  // Five slower rounds among equal ones are five of a hundred.
  std::vector<double> hardly_slower = equal;
  std::fill_n(hardly_slower.begin(), 5, 2.0);
  EXPECT_TRUE(losses({{.times = times_of(equal)}, {.times = times_of(hardly_slower)}}).empty());
}

TEST(Losses, NeverTakeTheFastestOrTheFastestFixedOne) {
  std::vector<Racer> racers;
  for (const double time : {1.0, 2.0, 3.0, 4.0}) racers.push_back({.times = times_of(noisy(time, 20, 1))});
  racers[1].fixed = racers[2].fixed = true;
  const std::vector<Loss> lost = losses(racers);
  ASSERT_EQ(lost.size(), 2U);
  EXPECT_EQ(lost[0].loser, 2U) << "a fixed one that another fixed one beats";
  EXPECT_EQ(lost[1].loser, 3U);
}

TEST(Losses, CompareCommonRoundsAloneAndLetTheDroppedRest) {
  std::vector<Racer> racers{{.times = times_of(noisy(1, 20, 1))}, {.times = {{3, 2.0}, {30, 2.0}}}, {.times = {}}};
  EXPECT_TRUE(losses(racers).empty()) << "one common round, and a contestant without any";
  racers[1] = {.times = times_of(noisy(2, 20, 2)), .left = false};
  EXPECT_TRUE(losses(racers).empty());
  EXPECT_TRUE(losses({}).empty());
}

/// One race with a look after each round; true when contestant 0, the truly fastest, is dropped.
struct Race {
  std::vector<double> means;
  double noise;  ///< relative; heavy tails beside it
  std::size_t rounds;

  std::vector<Racer> run(unsigned seed) const {
    std::mt19937 random(seed);
    std::vector<Racer> racers(means.size());
    for (std::size_t round = 0; round < rounds; ++round) {
      const double mood = std::lognormal_distribution<>(0, 0.2)(random);  // of the machine: all of a round share it
      for (std::size_t i = 0; i < means.size(); ++i) {
        double time = means[i] * mood * std::lognormal_distribution<>(0, noise)(random);
        if (random() % 50 == 0) time *= 30;
        if (racers[i].left) racers[i].times[static_cast<int>(round)] = time;
      }
      for (const Loss& loss : losses(racers)) racers[loss.loser].left = false;
    }
    return racers;
  }
};

TEST(Races, DropTheTrulyFastestInAtMostFivePercent) {
  constexpr unsigned kRaces = 400;
  for (const double slower : {1.0, 1.0005, 1.01}) {
    Race race{.means = std::vector<double>(12, slower), .noise = 0.03, .rounds = 100};
    race.means[0] = 1;
    unsigned dropped = 0;
    for (unsigned seed = 0; seed < kRaces; ++seed) dropped += race.run(seed)[0].left ? 0 : 1;
    EXPECT_LE(dropped, kRaces / 20) << slower;
  }
}

TEST(Races, DropClearLosersSoon) {
  const Race race{.means = {1, 1.2, 1.2, 1.5, 1.5, 2, 2, 1.2}, .noise = 0.03, .rounds = 20};
  unsigned left = 0;
  constexpr unsigned kRaces = 200;
  for (unsigned seed = 0; seed < kRaces; ++seed) {
    const std::vector<Racer> racers = race.run(seed);
    EXPECT_TRUE(racers[0].left);
    for (std::size_t i = 1; i < racers.size(); ++i) left += racers[i].left ? 1 : 0;
  }
  EXPECT_LE(left, kRaces * 7 / 50);
}

TEST(Conclusion, IsTheLeaderWhereItIsProven) {
  std::vector<Racer> racers{{.times = times_of(noisy(2, 20, 1)), .fixed = true},
                            {.times = times_of(noisy(1.5, 20, 2)), .fixed = true},
                            {.times = times_of(noisy(1, 20, 3))}};
  const auto end = conclude(racers);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->chosen, 2U);
  EXPECT_EQ(end->leader, 2U);
  EXPECT_EQ(end->best_fixed, 1U);
}

TEST(Conclusion, IsTheBestFixedOneWhereTheLeaderIsNotProven) {
  const std::vector<Racer> too_few{{.times = times_of(noisy(1, 5, 1)), .fixed = true},
                                   {.times = times_of(noisy(0.5, 5, 3))}};
  std::vector<Racer> too_near(2);
  too_near[0].fixed = true;
  for (int round = 0; round < 20; ++round) {
    too_near[0].times[round] = round % 2 == 0 ? 1.0 : 1.2;
    too_near[1].times[round] = round % 2 == 0 ? 1.1 : 1.05;
  }
  for (const auto& racers : {too_few, too_near}) {
    const auto end = conclude(racers);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->chosen, 0U);
    EXPECT_EQ(end->leader, 1U);
  }
}

TEST(Conclusion, PassesOverWhoIsSlowerThanAFixedOneThatWasDropped) {
  // 0 was dropped before the machine's mood changed: its rounds are the slow ones, in which it beats 1.
  std::vector<Racer> racers{{.times = times_of(noisy(1.5, 8, 1)), .fixed = true, .left = false},
                            {.times = times_of(noisy(2, 8, 2))},
                            {.times = times_of(noisy(1.4, 8, 3)), .fixed = true}};
  for (int round = 8; round < 30; ++round) {
    racers[1].times[round] = 0.5;
    racers[2].times[round] = 1;
  }
  const auto end = conclude(racers);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->chosen, 2U);
}

TEST(Conclusion, NeedsATimeAndCanDoWithoutFixedOnes) {
  EXPECT_FALSE(conclude({}));
  EXPECT_FALSE(conclude({{.times = {}, .fixed = true}}));
  const auto end = conclude({{.times = {{0, 2.0}}}, {.times = {{0, 1.0}}}});
  ASSERT_TRUE(end);
  EXPECT_EQ(end->chosen, 1U);
  EXPECT_FALSE(end->best_fixed);
}

/// Whatever the times: the chosen one is not measurably slower than any fixed one, unless they beat one another in a
/// circle.
RC_GTEST_PROP(Conclusion, IsNeverMeasurablySlowerThanAFixedOne, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(1, 6);
  std::vector<Racer> racers(count);
  for (std::size_t i = 0; i < count; ++i) {
    racers[i].fixed = i % 2 == 0;
    racers[i].left = i == 0 || *rc::gen::arbitrary<bool>();
    const int rounds = *rc::gen::inRange(1, 20);
    const int level = *rc::gen::inRange(1, 10);
    for (int round = 0; round < rounds; ++round) racers[i].times[round] = level + 0.1 * *rc::gen::inRange(0, 30);
  }
  const auto slower = [&](std::size_t i) {
    for (const Racer& other : racers) {
      const auto ratio = ratio_by_rounds(racers[i].times, other.times);
      if (other.fixed && ratio && ratio->interval && ratio->interval->low > 1) return true;
    }
    return false;
  };
  bool some = false;  // fixed one that is left and not slower
  for (std::size_t i = 0; i < count; ++i) some = some || (racers[i].fixed && racers[i].left && !slower(i));
  const auto end = conclude(racers);
  RC_ASSERT(end.has_value());
  RC_ASSERT(racers[end->chosen].left);
  RC_ASSERT(!some || !slower(end->chosen));
}

}  // namespace
}  // namespace mgbench

#include "planner/regime_fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "base/error.h"

namespace mgbench {
namespace {

/// Powers of two from 4 B on, times by `time`, each with a relative error of up to `noise`.
template <typename Time>
Curve points_of(int count, Time time, double noise = 0, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> error(-noise, noise);
  Curve points;
  for (int i = 0; i < count; ++i) {
    const Bytes bytes = Bytes{4} << i;
    points.push_back({bytes, time(static_cast<double>(bytes)) * (1 + error(random))});
  }
  return points;
}

double line(double bytes) {
  return 1e-4 + 1e-9 * bytes;
}

/// A protocol that changes at 16 KiB and makes the time jump.
double stepped(double bytes) {
  return bytes < 16384 ? 80e-6 + 12e-9 * bytes : 800e-6 + 3.7e-9 * bytes;
}

/// Another rate from 1 MiB on, without a jump.
double bent(double bytes) {
  return 1e-4 + 1e-9 * bytes + 4e-9 * std::max(0.0, bytes - (1 << 20));
}

std::vector<Bytes> breaks(const RegimeFit& fit) {
  std::vector<Bytes> result;
  for (std::size_t i = 1; i < fit.regimes.size(); ++i) result.push_back(fit.regimes[i].from);
  return result;
}

TEST(FitRegimes, FindsNoBreakInALine) {
  for (const double noise : {0.0, 0.02, 0.1})
    for (unsigned seed = 0; seed < 20; ++seed)
      EXPECT_EQ(fit_regimes(points_of(24, line, noise, seed)).regimes.size(), 1) << noise << " " << seed;
}

TEST(FitRegimes, OneWithoutABreakIsTheLine) {
  const Curve points = points_of(24, line, 0.03);
  const RegimeFit fit = fit_regimes(points);
  const LineFit expected = fit_line(points);
  EXPECT_EQ(fit.regimes.front().at, expected.line.a);
  EXPECT_EQ(fit.regimes.front().slope, expected.line.b);
  EXPECT_EQ(fit.held_out_residual, expected.held_out_residual);
}

TEST(FitRegimes, FindsAJump) {
  const RegimeFit exact = fit_regimes(points_of(22, stepped));
  EXPECT_TRUE(exact.stepped);
  ASSERT_EQ(breaks(exact), std::vector<Bytes>{16384});
  EXPECT_NEAR(exact.regimes[0].at, 80e-6, 1e-9);
  EXPECT_NEAR(exact.regimes[1].slope, 3.7e-9, 1e-13);
  EXPECT_LT(exact.held_out_residual, 1e-6);
  for (unsigned seed = 0; seed < 20; ++seed) {
    const RegimeFit noisy = fit_regimes(points_of(22, stepped, 0.03, seed));
    const std::vector<Bytes> found = breaks(noisy);
    EXPECT_NE(std::find(found.begin(), found.end(), Bytes{16384}), found.end()) << seed;
  }
}

TEST(FitRegimes, FindsABendWithoutAJump) {
  const RegimeFit fit = fit_regimes(points_of(24, bent));
  EXPECT_FALSE(fit.stepped);
  ASSERT_EQ(breaks(fit), std::vector<Bytes>{1 << 20});
  EXPECT_NEAR(fit.regimes[1].at, fit.regimes[0].time(1 << 20), 1e-12);
  EXPECT_NEAR(fit.regimes[1].slope, 5e-9, 1e-13);
}

TEST(FitRegimes, FindsSeveralBreaks) {
  const auto time = [](double bytes) {
    return bytes < 4096 ? 10e-6 + 5e-9 * bytes : bytes < 262144 ? 60e-6 + 3e-9 * bytes : 2e-3 + 1e-9 * bytes;
  };
  EXPECT_EQ(breaks(fit_regimes(points_of(24, time))), (std::vector<Bytes>{4096, 262144}));
}

TEST(FitRegimes, MakesACostThatIsValidWhateverThePoints) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    Curve points;
    Bytes bytes = 0;
    const int count = std::uniform_int_distribution(3, 28)(random);
    for (int i = 0; i < count; ++i) {
      bytes += std::uniform_int_distribution<Bytes>(1, 1 << std::uniform_int_distribution(0, 24)(random))(random);
      points.push_back({bytes, std::pow(10, std::uniform_real_distribution(-6.0, 0.0)(random))});
    }
    const RegimeFit fit = fit_regimes(points);
    EXPECT_NO_THROW(CostModel(fit.regimes, Line{1e-6, 1e-9})) << seed;
    EXPECT_TRUE(std::isfinite(fit.largest_residual) && std::isfinite(fit.held_out_residual));
  }
}

/// Where regimes meet, rounding must not make the later one begin below the end of the earlier one.
TEST(FitRegimes, MakesACostThatIsValidWhereRegimesMeet) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    const double a = std::uniform_real_distribution(1e-6, 9e-6)(random);
    const double slope = std::uniform_real_distribution(0.0, 2e-9)(random);
    const Curve points = points_of(20, [&](double bytes) { return a + std::max(0.0, bytes - 512) * slope; });
    EXPECT_NO_THROW(CostModel(fit_regimes(points).regimes, Line{1e-6, 1e-9})) << seed;
  }
}

TEST(FitRegimes, RefusesWhatALineRefuses) {
  EXPECT_THROW(fit_regimes({}), Error);
  EXPECT_THROW(fit_regimes({{1, 1}, {2, 2}}), Error);
  EXPECT_THROW(fit_regimes({{1, 1}, {2, -1}, {3, 3}}), Error);
}

PlanningChoice choose(const Curve& points) {
  return choose_planning_cost(fit_line(points), fit_regimes(points));
}

TEST(ChoosePlanningCost, TakesTheLineWhereItHolds) {
  const PlanningChoice choice = choose(points_of(14, line, 0.01));
  EXPECT_EQ(choice.form, CostModel::Form::line);
  EXPECT_NE(choice.reason.find("line"), std::string::npos);
}

TEST(ChoosePlanningCost, TakesRegimesWhereTheyHoldAndALineDoesNot) {
  const PlanningChoice choice = choose(points_of(22, stepped, 0.01));
  EXPECT_EQ(choice.form, CostModel::Form::regimes);
  EXPECT_NE(choice.reason.find("2 regimes"), std::string::npos);
}

TEST(ChoosePlanningCost, TakesTheCurveWhereNeitherHolds) {
  // Public OSU figures of eight nodes on 10GbE: a jump between 8 and 16 KiB, too few points for two lines.
  const PlanningChoice choice = choose({{4, 82e-6}, {8192, 182e-6}, {16384, 884e-6}, {1 << 20, 4.7e-3}});
  EXPECT_EQ(choice.form, CostModel::Form::curve);
  EXPECT_NE(choice.reason.find("curve"), std::string::npos);
}

TEST(ChoosePlanningCost, SeesABendThatTheFitTookIntoAccount) {
  // One bad point of nine: fitted along, it draws the line towards itself; held out, it stands out by itself.
  Curve points = points_of(9, line);
  points[4].seconds *= 1.12;
  const LineFit fit = fit_line(points);
  EXPECT_LT(fit.largest_residual, fit.held_out_residual);
  EXPECT_NE(choose(points).form, CostModel::Form::line);
}

TEST(ChoosePlanningCost, TheLimitIsTenPerCent) {
  LineFit fit;
  fit.held_out_residual = 0.0999;
  EXPECT_EQ(choose_planning_cost(fit, {}).form, CostModel::Form::line);
  fit.held_out_residual = 0.1;
  EXPECT_NE(choose_planning_cost(fit, {}).form, CostModel::Form::line);
}

}  // namespace
}  // namespace mgbench

#include "planner/line_fit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "base/error.h"

namespace mgbench {
namespace {

Curve points_of(const Line& line, std::size_t count, double noise = 0, unsigned seed = 0) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0, 1);
  Curve points;
  for (std::size_t i = 0; i < count; ++i) {
    const Bytes bytes = Bytes{1024} << i;
    points.push_back({bytes, line.time(bytes) * (1 + noise * normal(random))});
  }
  return points;
}

/// The sum that the fit makes least.
double squares(const Line& line, const Curve& points) {
  double sum = 0;
  for (const CurvePoint& point : points) sum += std::pow(line.time(point.bytes) / point.seconds - 1, 2);
  return sum;
}

TEST(FitLine, FindsALineExactly) {
  for (const Line line : {Line{1e-3, 1e-9}, Line{5e-7, 1e-10}, Line{2.35e-3, 9.64e-10}, Line{1e-2, 1e-12}}) {
    const LineFit fit = fit_line(points_of(line, 16));
    EXPECT_NEAR(fit.line.a / line.a, 1, 1e-9);
    EXPECT_NEAR(fit.line.b / line.b, 1, 1e-9);
    EXPECT_LT(fit.largest_residual, 1e-9);
    EXPECT_LT(fit.held_out_residual, 1e-9);
    EXPECT_NEAR(fit.a_interval.low, line.a, 1e-9 * line.a);
    EXPECT_NEAR(fit.b_interval.high, line.b, 1e-9 * line.b);
    EXPECT_EQ(fit.smallest, 1024);
    EXPECT_EQ(fit.largest, Bytes{1024} << 15);
  }
}

TEST(FitLine, IsTheLeastSumOfRelativeSquares) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Curve points = points_of({1e-4, 1e-9}, 12, 0.2, seed);
    const LineFit fit = fit_line(points);
    const double least = squares(fit.line, points);
    for (const double a : {0.999, 1.0, 1.001})
      for (const double b : {0.999, 1.0, 1.001})
        EXPECT_GE(squares({fit.line.a * a, fit.line.b * b}, points), least * (1 - 1e-12));
  }
}

TEST(FitLine, StatesTheLargestResidual) {
  const Curve points = points_of({1e-4, 1e-9}, 12, 0.2, 7);
  const LineFit fit = fit_line(points);
  double largest = 0;
  for (const CurvePoint& point : points)
    largest = std::max(largest, std::abs(fit.line.time(point.bytes) - point.seconds) / point.seconds);
  EXPECT_DOUBLE_EQ(fit.largest_residual, largest);
}

TEST(FitLine, TakesStudentsTForTheInterval) {
  // Three points, one degree of freedom: t = 12.7062. Weights are 1, 1/4, 1/9 and the fit is worked out by
  // hand below.
  const Curve points = {{1, 1}, {2, 2}, {4, 3}};
  const double weight = 1 + 1.0 / 4 + 1.0 / 9;
  const double mean_bytes = (1 + 2.0 / 4 + 4.0 / 9) / weight;
  const double mean_seconds = (1 + 2.0 / 4 + 3.0 / 9) / weight;
  double spread = 0;
  double covariance = 0;
  for (const auto& [bytes, seconds] : points) {
    spread += std::pow(static_cast<double>(bytes) - mean_bytes, 2) / (seconds * seconds);
    covariance += (static_cast<double>(bytes) - mean_bytes) * (seconds - mean_seconds) / (seconds * seconds);
  }
  const Line line{mean_seconds - covariance / spread * mean_bytes, covariance / spread};
  const double error = std::sqrt(squares(line, points) / spread);
  const LineFit fit = fit_line(points);
  EXPECT_NEAR(fit.line.b, line.b, 1e-12);
  EXPECT_NEAR(fit.b_interval.high, line.b + 12.7062 * error, 1e-4);
}

TEST(FitLine, IntervalsHoldTheTruthNinetyFiveTimesOfAHundred) {
  const Line truth{1e-4, 1e-9};
  constexpr unsigned kTrials = 4000;
  for (const std::size_t count : {std::size_t{5}, std::size_t{14}}) {
    unsigned a_inside = 0;
    unsigned b_inside = 0;
    for (unsigned seed = 0; seed < kTrials; ++seed) {
      const LineFit fit = fit_line(points_of(truth, count, 0.02, seed));
      a_inside += fit.a_interval.low <= truth.a && truth.a <= fit.a_interval.high;
      b_inside += fit.b_interval.low <= truth.b && truth.b <= fit.b_interval.high;
    }
    EXPECT_NEAR(static_cast<double>(a_inside) / kTrials, 0.95, 0.015) << count;
    EXPECT_NEAR(static_cast<double>(b_inside) / kTrials, 0.95, 0.015) << count;
  }
}

TEST(FitLine, KeepsBothFiguresAboveZero) {
  const Curve no_start_up = {{1000, 1}, {2000, 3}, {4000, 9}};  // bends up: the free line has a < 0
  const Curve no_slope = {{1000, 3}, {2000, 2}, {4000, 1}};
  for (const Curve& points : {no_start_up, no_slope}) {
    const LineFit fit = fit_line(points);
    EXPECT_GT(fit.line.a, 0);
    EXPECT_GT(fit.line.b, 0);
    EXPECT_GT(fit.a_interval.low, 0);
    EXPECT_GT(fit.b_interval.low, 0);
    EXPECT_LE(fit.a_interval.low, fit.line.a);
    EXPECT_GE(fit.a_interval.high, fit.line.a);
    EXPECT_LE(fit.b_interval.low, fit.line.b);
    EXPECT_GE(fit.b_interval.high, fit.line.b);
    // The best of the lines that have both: no step that stays above zero is better.
    const double least = squares(fit.line, points);
    for (const double step : {-1e-3, 1e-3}) {
      EXPECT_GE(squares({fit.line.a * (1 + step), fit.line.b}, points), least * (1 - 1e-6));
      EXPECT_GE(squares({fit.line.a, fit.line.b * (1 + step)}, points), least * (1 - 1e-6));
    }
  }
}

TEST(FitLine, RejectsWhatItCannotFit) {
  EXPECT_THROW(fit_line({}), Error);
  EXPECT_THROW(fit_line({{1, 1}, {2, 2}}), Error);
  EXPECT_THROW(fit_line({{0, 1}, {2, 2}, {3, 3}}), Error);
  EXPECT_THROW(fit_line({{1, 1}, {1, 2}, {3, 3}}), Error);
  EXPECT_THROW(fit_line({{3, 1}, {2, 2}, {1, 3}}), Error);
  for (const double wrong :
       {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    EXPECT_THROW(fit_line({{1, 1}, {2, wrong}, {3, 3}}), Error) << wrong;
}

}  // namespace
}  // namespace mgbench

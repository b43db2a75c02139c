#include "planner/cost_model.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"

namespace mgbench {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinite = std::numeric_limits<double>::infinity();
const Line kLine{1e-3, 1e-9};

Seconds time(const CostModel& cost, Bytes bytes) {
  return cost.time(Collective::allreduce, bytes);
}

TEST(CostModel, ALineIsItself) {
  const CostModel cost(Line{0.5, 0.25});
  EXPECT_TRUE(cost.is_line());
  EXPECT_EQ(time(cost, 1), 0.75);
  EXPECT_EQ(time(cost, 6), 2);
}

TEST(CostModel, ACurveIsLinearBetweenPointsConstantBelowAndContinuedAbove) {
  const CostModel cost(Curve{{100, 2}, {200, 4}, {400, 5}}, kLine);
  EXPECT_FALSE(cost.is_line());
  EXPECT_EQ(time(cost, 1), 2);
  EXPECT_EQ(time(cost, 100), 2);
  EXPECT_EQ(time(cost, 150), 3);
  EXPECT_EQ(time(cost, 200), 4);
  EXPECT_EQ(time(cost, 300), 4.5);
  EXPECT_EQ(time(cost, 400), 5);
  EXPECT_EQ(time(cost, 800), 7);
  EXPECT_EQ(cost.line().a, kLine.a);
}

TEST(CostModel, ACurveThatFallsIsNotContinuedBelowItsLastPoint) {
  const CostModel cost(Curve{{100, 2}, {200, 1}}, kLine);
  EXPECT_EQ(time(cost, 150), 1.5);
  EXPECT_EQ(time(cost, 200), 1);
  EXPECT_EQ(time(cost, 1'000'000), 1);
}

TEST(CostModel, OnePointIsAConstant) {
  const CostModel cost(Curve{{100, 2}}, kLine);
  EXPECT_EQ(time(cost, 1), 2);
  EXPECT_EQ(time(cost, 1000), 2);
}

TEST(CostModel, KeepsItsTimesWithAnotherOverlap) {
  const Overlap overlap{0.2, 1.5, 1e-5};
  const CostModel line = CostModel(kLine).with_overlap(overlap);
  const CostModel curve = CostModel(Curve{{100, 2}}, kLine).with_overlap(overlap);
  EXPECT_TRUE(line.is_line());
  EXPECT_FALSE(curve.is_line());
  for (const CostModel& cost : {line, curve}) {
    EXPECT_EQ(cost.overlap().core_share, 0.2);
    EXPECT_EQ(cost.overlap().stretch, 1.5);
    EXPECT_EQ(cost.overlap().message_cpu, 1e-5);
  }
  EXPECT_EQ(time(curve, 100), 2);
}

TEST(CostModel, RejectsWrongLines) {
  for (const double wrong : {0.0, -1.0, kNotANumber, kInfinite}) {
    EXPECT_THROW(CostModel(Line{wrong, 1}), Error) << wrong;
    EXPECT_THROW(CostModel(Line{1, wrong}), Error) << wrong;
  }
}

TEST(CostModel, RejectsWrongCurves) {
  EXPECT_THROW(CostModel(Curve{}, kLine), Error);
  EXPECT_THROW(CostModel(Curve{{-1, 1}}, kLine), Error);
  EXPECT_THROW(CostModel(Curve{{2, 1}, {2, 2}}, kLine), Error);
  EXPECT_THROW(CostModel(Curve{{2, 1}, {1, 2}}, kLine), Error);
  for (const double wrong : {0.0, -1.0, kNotANumber, kInfinite})
    EXPECT_THROW(CostModel(Curve{{1, 1}, {2, wrong}}, kLine), Error) << wrong;
}

TEST(CostModel, RejectsWrongOverlap) {
  for (const double wrong : {-0.1, 1.1, kNotANumber}) EXPECT_THROW(CostModel(kLine, {wrong, 1, 0}), Error) << wrong;
  for (const double wrong : {0.9, kNotANumber, kInfinite})
    EXPECT_THROW(CostModel(kLine, {0, wrong, 0}), Error) << wrong;
  for (const double wrong : {-1.0, kNotANumber, kInfinite})
    EXPECT_THROW(CostModel(kLine, {0, 1, wrong}), Error) << wrong;
}

TEST(CostModel, HalvesTakeHalfUnlessMeasured) {
  const CostModel cost = CostModel(Line{2, 0.5}).with_overlap({0.2, 1.5, 1e-5});
  EXPECT_EQ(cost.time(Collective::reduce_scatter, 4), 2);
  EXPECT_EQ(cost.as_allreduce(Collective::reduce_scatter).time(Collective::allreduce, 4), 2);
  const CostModel measured = cost.with_measured(Collective::all_gather, {3, 1});
  EXPECT_EQ(measured.time(Collective::all_gather, 4), 7);
  EXPECT_EQ(measured.time(Collective::reduce_scatter, 4), 2);
  EXPECT_EQ(measured.time(Collective::allreduce, 4), 4);
  EXPECT_EQ(measured.as_allreduce(Collective::all_gather).time(Collective::allreduce, 4), 7);
  EXPECT_EQ(measured.as_allreduce(Collective::all_gather).overlap().stretch, 1.5);
  EXPECT_THROW(cost.with_measured(Collective::allreduce, {3, 1}), Error);
  EXPECT_THROW(cost.with_measured(Collective::all_gather, {0, 1}), Error);
}

TEST(CostModel, RegimesMayJumpButNeverFall) {
  const CostModel cost(Regimes{{0, 1, 0.5}, {10, 8, 0.25}}, Line{1, 1});
  EXPECT_EQ(cost.form(), CostModel::Form::regimes);
  EXPECT_EQ(cost.time(Collective::allreduce, 9), 5.5);
  EXPECT_EQ(cost.time(Collective::allreduce, 10), 8);
  EXPECT_EQ(cost.time(Collective::allreduce, 14), 9);
  EXPECT_THROW(CostModel(Regimes{}, Line{1, 1}), Error);
  EXPECT_THROW(CostModel(Regimes{{1, 1, 1}}, Line{1, 1}), Error);
  EXPECT_THROW(CostModel(Regimes{{0, 0, 1}}, Line{1, 1}), Error);
  EXPECT_THROW(CostModel(Regimes{{0, 1, -1}}, Line{1, 1}), Error);
  EXPECT_THROW(CostModel(Regimes{{0, 1, 1}, {0, 2, 1}}, Line{1, 1}), Error);
  EXPECT_THROW(CostModel(Regimes{{0, 1, 1}, {10, 5, 1}}, Line{1, 1}), Error);
}

}  // namespace
}  // namespace mgbench

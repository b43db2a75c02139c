#include "report/scaling.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "planner/simulation.h"
#include "report/examples.h"

namespace mgbench {
namespace {

NamedResult run_on(int ranks) {
  RunResult result = example_run();
  result.emulated.clear();
  result.ranks = ranks;
  result.calibration = example_calibration(ranks);
  return {std::to_string(ranks) + ".json", result};
}

const ScalingCurve& curve(const Scaling& scaling, const std::string& strategy) {
  return *std::find_if(scaling.curves.begin(), scaling.curves.end(),
                       [&](const ScalingCurve& known) { return known.strategy == strategy; });
}

std::vector<int> ranks_of(const std::vector<ScalingPoint>& points) {
  std::vector<int> ranks;
  for (const ScalingPoint& point : points) ranks.push_back(point.ranks);
  return ranks;
}

TEST(Scaling, HasMeasuredPointsByRanks) {
  const NamedResult eight = run_on(8);
  const auto found = scalings({eight, run_on(2), run_on(4)});
  ASSERT_EQ(found.size(), 1U);
  const ScalingCurve& ddp = curve(found[0], "ddp");
  EXPECT_EQ(ranks_of(ddp.measured), (std::vector<int>{2, 4, 8}));
  RunResult result = eight.result;
  const MedianEstimate expected = strategy(result, "ddp").iteration();
  EXPECT_EQ(ddp.measured[2].iteration, expected.median);
  EXPECT_EQ(ddp.measured[2].interval->high, expected.interval->high);
}

TEST(Scaling, SimulatesAsTheSimulationDoes) {
  const NamedResult two = run_on(2);
  const NamedResult eight = run_on(8);
  const ClusterCost cost({{2, two.result.calibration.planning_cost()}, {8, eight.result.calibration.planning_cost()}});
  SimulationRequest request;
  request.profile = &eight.result.profile;
  request.cost = &cost;
  request.ranks = {2, 4, 4096};
  for (const Scheduler& scheduler : schedulers())
    if (scheduler.name == "mg-wfbp") request.strategies.push_back(scheduler);
  const auto expected = simulate(request);

  const Scaling scaling = scalings({two, eight}).at(0);
  const std::vector<ScalingPoint>& points = curve(scaling, "mg-wfbp").simulated;
  EXPECT_EQ(ranks_of(points), (std::vector<int>{2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096}));
  EXPECT_EQ(points[0].iteration, expected[0].strategies[0].iteration);
  EXPECT_EQ(points[1].iteration, expected[1].strategies[0].iteration);
  EXPECT_EQ(points[11].iteration, expected[2].strategies[0].iteration);
  EXPECT_EQ(points[11].interval->high, expected[2].strategies[0].range.high);
  EXPECT_EQ(scaling.basis, expected[2].basis);
}

TEST(Scaling, KeepsApartWhatDiffersOtherwise) {
  NamedResult larger = run_on(4);
  larger.result.batch += 1;
  NamedResult emulated = run_on(8);
  emulated.result.emulated = "10GbE as 64 ranks";
  const auto found = scalings({run_on(2), larger, emulated});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(ranks_of(curve(found[0], "ddp").measured), std::vector<int>{2});
  EXPECT_EQ(ranks_of(curve(found[1], "ddp").measured), std::vector<int>{4});
}

TEST(Scaling, WithoutACalibrationNothingIsSimulated) {
  NamedResult run = run_on(4);
  run.result.calibration = {};
  strategy(run.result, "ddp").failure = "sums are wrong";
  const Scaling scaling = scalings({run}).at(0);
  EXPECT_EQ(scaling.basis, "");
  for (const ScalingCurve& each : scaling.curves) {
    EXPECT_TRUE(each.simulated.empty());
    EXPECT_NE(each.strategy, "ddp") << "it has no times";
  }
}

TEST(Scaling, APlanOfItsOwnIsMeasuredOnly) {
  NamedResult run = run_on(4);
  strategy(run.result, "ddp").strategy = "plan.yaml";
  const Scaling scaling = scalings({run}).at(0);
  EXPECT_EQ(curve(scaling, "plan.yaml").measured.size(), 1U);
  EXPECT_TRUE(curve(scaling, "plan.yaml").simulated.empty());
}

}  // namespace
}  // namespace mgbench

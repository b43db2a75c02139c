#include "planner/simulation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "planner/cases.h"
#include "planner/device_figures.h"
#include "planner/message_units.h"
#include "planner/timeline.h"

namespace mgbench {
namespace {

using testing::Cases;

ClusterCost ring() {
  std::map<int, CostModel> costs;
  for (const int p : {2, 4, 8, 16}) costs.emplace(p, CostModel(Line{2e-5 * 2 * (p - 1), 1e-9 * (p - 1) / p}));
  return ClusterCost(std::move(costs));
}

DeviceFigures device() {
  return {
      .name = "X", .source = "test", .flops = 1e12, .bytes_per_second = 1e11, .throughput = {{"resnet50", {32, 80}}}};
}

TEST(ClusterCost, CarriesACurvesShapeToOtherRanks) {
  const Curve curve{{1000, 3e-4}, {100000, 4e-4}, {10000000, 2e-2}};
  std::map<int, CostModel> costs;
  costs.emplace(2, CostModel(curve, Line{1e-4, 2e-9}));
  costs.emplace(4, CostModel(curve, Line{2e-4, 3e-9}));
  const ClusterCost cluster(std::move(costs));
  EXPECT_EQ(cluster.at(4).basis, "measured");
  EXPECT_EQ(cluster.at(4).cost.time(Collective::allreduce, 1000), 3e-4);
  const RankedCost at = cluster.at(16);
  for (const CurvePoint& point : curve) {
    const double ratio = at.cost.line().time(point.bytes) / Line{2e-4, 3e-9}.time(point.bytes);
    EXPECT_NEAR(at.cost.time(Collective::allreduce, point.bytes), point.seconds * ratio, 1e-12);
  }
}

TEST(ClusterCost, IsAValidCostWhateverTheCurve) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    Cases cases(seed);
    std::map<int, CostModel> costs;
    for (const int ranks : {2, 8})
      costs.emplace(ranks, cases.chance(0.5) ? CostModel(cases.line()) : CostModel(cases.curve(false), cases.line()));
    EXPECT_NO_THROW(ClusterCost(costs).at(64)) << seed;
  }
}

TEST(Simulate, EqualsAPredictionAtEachSize) {
  Cases cases(1);
  const Profile profile = cases.network(40);
  const ClusterCost cost = ring();
  const auto sizes = simulate({.profile = &profile, .cost = &cost, .ranks = {4, 64}, .strategies = schedulers()});
  ASSERT_EQ(sizes.size(), 2);
  for (const SimulatedSize& size : sizes) {
    const CostModel at = cost.at(size.ranks).cost;
    const std::vector<Scheduler> all = schedulers();
    ASSERT_EQ(size.strategies.size(), all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Timeline timeline = predict(profile, all[i].schedule(profile, at, {}), at);
      EXPECT_EQ(size.strategies[i].name, all[i].name);
      EXPECT_EQ(size.strategies[i].iteration, timeline.iteration);
      EXPECT_EQ(size.strategies[i].exposed, timeline.exposed());
      EXPECT_EQ(size.strategies[i].efficiency, (profile.computation() + profile.update) / timeline.iteration);
      EXPECT_LE(size.strategies[i].range.low, timeline.iteration);
      EXPECT_GE(size.strategies[i].range.high, timeline.iteration);
    }
  }
  EXPECT_EQ(sizes[0].strategies[0].range.low, sizes[0].strategies[0].range.high);
  EXPECT_LT(sizes[1].strategies[0].range.low, sizes[1].strategies[0].range.high);
}

TEST(Simulate, MgWfbpIsNeverBehindAnotherPlanOfOneMessageAtATime) {
  const Profile profile = estimated_profile(models().find("resnet50").make(), device());
  const ClusterCost cost = ring();
  for (const SimulatedSize& size :
       simulate({.profile = &profile, .cost = &cost, .ranks = {2, 8, 64, 512, 4096}, .strategies = schedulers()})) {
    const auto& rows = size.strategies;
    const auto exact = std::find_if(rows.begin(), rows.end(), [](const auto& row) { return row.name == "mg-wfbp"; });
    for (const auto& row : rows) {
      if (row.name == "asc-wfbp" || row.name == "dear") continue;
      EXPECT_LE(exact->iteration, row.iteration * (1 + 1e-9)) << row.name;
    }
  }
}

SimulatedSize size_of(int ranks, double one, double other) {
  return {.ranks = ranks,
          .strategies = {{.name = "one", .iteration = one, .efficiency = 1 / one},
                         {.name = "other", .iteration = other, .efficiency = 1 / other}}};
}

TEST(Simulate, TellsWhereStrategiesCross) {
  const std::vector<SimulatedSize> sizes{size_of(2, 1, 2), size_of(4, 2, 2), size_of(8, 3, 2.5), size_of(16, 3, 4)};
  const auto found = crossings({sizes[0], sizes[2], sizes[3]});
  ASSERT_EQ(found.size(), 2);
  EXPECT_EQ(found[0].overtaking, "other");
  EXPECT_EQ(found[0].from, 2);
  EXPECT_EQ(found[0].to, 8);
  EXPECT_EQ(found[1].overtaking, "one");
  EXPECT_TRUE(crossings({sizes[0], sizes[1]}).empty());
}

TEST(Simulate, TellsWhereEfficiencyFalls) {
  const std::vector<SimulatedSize> sizes{size_of(2, 1, 2), size_of(4, 2, 2), size_of(8, 3, 2.5)};
  EXPECT_EQ(first_below(sizes, 0, 0.9), 4);
  EXPECT_EQ(first_below(sizes, 0, 0.4), 8);
  EXPECT_EQ(first_below(sizes, 0, 0.1), std::nullopt);
}

TEST(RankSpread, SlowestOfOneIsTheDistributionItself) {
  const auto draws = RankSpread::normal(0.05).slowest(1, 20000, 1);
  const double mean = std::accumulate(draws.begin(), draws.end(), 0.0) / 20000;
  double variance = 0;
  for (const double draw : draws) variance += (draw - mean) * (draw - mean) / 20000;
  EXPECT_NEAR(mean, 1, 0.002);
  EXPECT_NEAR(std::sqrt(variance), 0.05, 0.002);
}

TEST(RankSpread, SlowestOfManyIsTheMaximum) {
  // Of 100 normal draws the largest has mean 2.508 and deviation 0.429 (tables of order statistics).
  const auto draws = RankSpread::normal(0.1).slowest(100, 20000, 3);
  EXPECT_NEAR(std::accumulate(draws.begin(), draws.end(), 0.0) / 20000, 1 + 0.1 * 2.508, 0.002);
}

TEST(RankSpread, MeasuredSlowestScalesWithRanks) {
  std::vector<double> samples(1000);
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = 0.9 + 0.2 * static_cast<double>(i) / 999;  // uniform
  const RankSpread spread = RankSpread::measured(samples, 2);
  const auto median = [](std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
  };
  EXPECT_NEAR(median(spread.slowest(2, 20000, 1)), 1.0, 0.005);
  // F^(8/2) = 1/2 at F = 0.5^(1/4).
  EXPECT_NEAR(median(spread.slowest(8, 20000, 1)), 0.9 + 0.2 * std::pow(0.5, 0.25), 0.005);
  EXPECT_LE(*std::max_element(samples.begin(), samples.end()), 1.1 + 1e-12);
}

TEST(RankSpread, TheSameSeedDrawsTheSame) {
  EXPECT_EQ(RankSpread::normal(0.1).slowest(64, 100, 7), RankSpread::normal(0.1).slowest(64, 100, 7));
  EXPECT_NE(RankSpread::normal(0.1).slowest(64, 100, 7), RankSpread::normal(0.1).slowest(64, 100, 8));
}

TEST(RankSpread, RefusesWhatIsNoSpread) {
  for (const double wrong :
       {-0.1, 1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    EXPECT_THROW(RankSpread::normal(wrong), Error);
  EXPECT_THROW(RankSpread::measured(std::vector<double>(19, 1), 2), Error);
  EXPECT_THROW(RankSpread::measured(std::vector<double>(20, 0), 2), Error);
  EXPECT_THROW(RankSpread::measured(std::vector<double>(20, 1), 0), Error);
}

TEST(Simulate, VariationOfRanksCostsMoreTheMoreThereAre) {
  Cases cases(1);
  const Profile profile = cases.network(40);
  const ClusterCost cost = ring();
  const RankSpread spread = RankSpread::normal(0.05);
  const auto sizes = simulate(
      {.profile = &profile, .cost = &cost, .ranks = {2, 64, 1024}, .strategies = {schedulers()[0]}, .spread = &spread});
  double slowdown = 1;
  for (const SimulatedSize& size : sizes) {
    const auto& row = size.strategies[0];
    EXPECT_LE(row.variation->low, *row.mean);
    EXPECT_GE(row.variation->high, *row.mean);
    const double now = *row.mean / row.iteration;
    EXPECT_GT(now, size.ranks > 64 ? 1.0 : slowdown * 0.99);
    slowdown = now;
  }
}

TEST(Device, ScalesToThePublishedThroughput) {
  for (const std::optional<int> batch : {std::optional<int>(), std::optional<int>(8)}) {
    const Profile profile = estimated_profile(models().find("resnet50").make(), device(), batch);
    EXPECT_NEAR(profile.computation() + profile.update, batch.value_or(32) / 80.0, 1e-9);
    EXPECT_NEAR(2 * profile.forward(), profile.backward(), 1e-9);
    EXPECT_NEAR(profile.update, 5 * 4.0 * 25557032 / 1e11, 1e-12);
    EXPECT_EQ(ready_tensors(profile).size(), 161);
    EXPECT_NE(profile.backend.find("estimated"), std::string::npos);
  }
}

TEST(Device, KnowsTheRoofline) {
  // A device without memory limits: steps take time as their multiply-adds do.
  DeviceFigures fast = device();
  fast.bytes_per_second = 1e18;
  const ModelSpec model = models().find("resnet50").make();
  const Profile profile = estimated_profile(model, fast);
  const auto& last = profile.steps.back();  // the inner product: 2048 x 1000
  EXPECT_NEAR(last.forward / profile.forward(), 2048000.0 / static_cast<double>(model.multiply_adds()), 1e-6);
}

TEST(Device, SaysWhichModelsItHasFiguresFor) {
  EXPECT_THROW(estimated_profile(models().find("tiny").make(), device()), Error);
}

TEST(MessageUnits, LayersOfResNet50) {
  const Profile profile = estimated_profile(models().find("resnet50").make(), device());
  const Profile layers = by_layers(profile);
  EXPECT_EQ(ready_tensors(layers).size(), 107);  // 53 convolutions, 53 batch norms, one inner product
  EXPECT_EQ(layers.bytes(), profile.bytes());
  EXPECT_EQ(layers.computation(), profile.computation());
}

TEST(MessageUnits, SplitsOnlyWhatIsLarger) {
  Profile profile{.model = "two",
                  .batch = 1,
                  .steps = {{.name = "s", .forward = 1, .backward = 1, .tensors = {{"w", 1000}, {"b", 40}}}}};
  const Profile split = split_tensors(profile, 400);
  ASSERT_EQ(split.steps[0].tensors.size(), 4);
  EXPECT_EQ(split.steps[0].tensors[0].name, "w[0]");
  EXPECT_EQ(split.steps[0].tensors[2].bytes, 200);
  EXPECT_EQ(split.steps[0].tensors[3].name, "b");
  EXPECT_EQ(split.bytes(), profile.bytes());
  EXPECT_THROW(split_tensors(profile, 3), Error);
}

}  // namespace
}  // namespace mgbench

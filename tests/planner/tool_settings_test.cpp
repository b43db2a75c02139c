#include "planner/tool_settings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "base/error.h"
#include "planner/cases.h"
#include "planner/merge_problem.h"
#include "planner/oracles.h"
#include "planner/resnet18.h"
#include "planner/strategy.h"
#include "support/random_case.h"

namespace mgbench {
namespace {

using testing::Cases;
using testing::profile_of;

Seconds iteration(const Profile& profile, const CostModel& cost, const std::string& strategy,
                  const StrategyOptions& options = {}) {
  const MergePlan plan = strategies().find(strategy).plan(profile, cost, options);
  return predict(profile, make_schedule(profile, plan), cost).iteration;
}

/// Small tensors, so that the strategies can be asked at every cap.
Profile small_profile(Cases& cases) {
  Profile profile;
  for (std::size_t left = cases.integer(1, 9); left > 0; --left)
    profile.steps.push_back({"step", 0, cases.uniform(0, 1), {{"tensor", static_cast<Bytes>(cases.integer(1, 12))}}});
  profile.update = 0.125;
  return profile;
}

StrategyOptions ddp_options(Bytes cap, DdpFirstBucket first_bucket) {
  StrategyOptions options;
  options.ddp_bucket = cap;
  if (first_bucket == DdpFirstBucket::follows) options.ddp_first_bucket = cap;
  return options;
}

// The tools' first buckets and defaults hold whole small cases: scaled, they take part.
Profile scaled(Profile profile, Bytes factor) {
  for (Profile::Step& step : profile.steps)
    for (Tensor& tensor : step.tensors) tensor.bytes *= factor;
  return profile;
}

TEST(BestDdpCap, IsTheBestOfEveryByteCap) {
  for (unsigned seed = 0; seed < 400 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Cases cases(seed);
    const Profile profile = small_profile(cases);
    const CostModel cost = CostModel(Line{cases.uniform(0.01, 1), cases.uniform(0.001, 0.1)})
                               .with_overlap(cases.chance(0.5) ? Overlap{} : cases.overlap());
    for (const DdpFirstBucket first_bucket : {DdpFirstBucket::stays, DdpFirstBucket::follows}) {
      Seconds least = iteration(profile, cost, "ddp");
      for (Bytes cap = 1; cap <= profile.bytes() + 1; ++cap)
        least = std::min(least, iteration(profile, cost, "ddp", ddp_options(cap, first_bucket)));
      const ToolSetting setting = best_ddp_cap(profile, cost, first_bucket, kTie);
      EXPECT_NEAR(setting.best.iteration, least, 1.1e-9 * least);
      EXPECT_TRUE(setting.all_tried);
    }
  }
}

TEST(BestDdpCap, IsTheBestWhereTheFirstBucketCounts) {
  constexpr Bytes kUnit = Bytes{1} << 18;  // four of them reach the first cap, a hundred the default
  for (unsigned seed = 0; seed < 200 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Cases cases(seed);
    const Profile profile = scaled(small_profile(cases), kUnit);
    const CostModel cost(Line{cases.uniform(0.01, 1), cases.uniform(0.001, 0.1) / static_cast<double>(kUnit)});
    for (const DdpFirstBucket first_bucket : {DdpFirstBucket::stays, DdpFirstBucket::follows}) {
      Seconds least = iteration(profile, cost, "ddp");
      for (Bytes cap = kUnit; cap <= profile.bytes() + kUnit; cap += kUnit)
        least = std::min(least, iteration(profile, cost, "ddp", ddp_options(cap, first_bucket)));
      const ToolSetting setting = best_ddp_cap(profile, cost, first_bucket, kTie);
      EXPECT_NEAR(setting.best.iteration, least, 1.1e-9 * least);
      EXPECT_EQ(setting.by_default.iteration, iteration(profile, cost, "ddp"));
      if (setting.is_default) continue;
      for (const Bytes cap : {setting.limit, std::min(setting.most, Bytes{1} << 40)})
        EXPECT_EQ(strategies().find("ddp").plan(profile, cost, ddp_options(cap, first_bucket)), setting.best.plan);
    }
  }
}

TEST(BestDdpCap, PrefersTheDefaultThenTheLargestCapOfEqualPredictions) {
  // Everything is hidden behind the first backward step: all plans are equal, the default's among them.
  const Profile hidden = profile_of({{4, 1}, {4, 1}, {4, 1}}, {.idle = 100});
  const ToolSetting any = best_ddp_cap(hidden, CostModel(Line{0.1, 0.01}), DdpFirstBucket::follows, kTie);
  EXPECT_TRUE(any.is_default);
  EXPECT_EQ(any.limit, Bytes{25} << 20);
  EXPECT_EQ(any.best.plan, any.by_default.plan);

  // Ready at 1 and 2, and two together at 3. The default sends all of it at 3; what counts is that the first two have
  // gone by then, in one message or in two.
  const Profile split = profile_of({{4, 1}, {4, 1}, {1, 1}, {3, 0}});
  const ToolSetting setting = best_ddp_cap(split, CostModel(Line{0.01, 0.1}), DdpFirstBucket::follows, kTie);
  EXPECT_FALSE(setting.is_default);
  EXPECT_EQ(setting.best.plan, MergePlan({2, 4}));
  EXPECT_EQ(setting.limit, 5);
  EXPECT_EQ(setting.most, 8);
}

TEST(BestDdpCap, FindsThePublishedBucketsOfResNet18) {
  const Profile profile = testing::resnet18();
  // So much latency that one message at the end is best; the older rule cannot have that.
  const CostModel slow(Line{1, 1e-12});
  const ToolSetting newer = best_ddp_cap(profile, slow, DdpFirstBucket::follows, kTie);
  EXPECT_EQ(newer.best.plan, MergePlan({62}));
  EXPECT_EQ(newer.most, LimitedPlan::kNoBound);
  const ToolSetting older = best_ddp_cap(profile, slow, DdpFirstBucket::stays, kTie);
  EXPECT_EQ(older.best.plan.groups(), 2);
  EXPECT_GT(older.best.iteration, newer.best.iteration + 0.9);
  EXPECT_EQ(older.by_default.plan.groups(), 3);
}

TEST(BestDdpCap, TriesLimitsApartWhereThereAreManyTensors) {
  Cases cases(1);
  const Profile profile = cases.network(1000);
  const ToolSetting setting = best_ddp_cap(profile, CostModel(Line{1e-3, 1e-9}), DdpFirstBucket::follows, kTie);
  EXPECT_FALSE(setting.all_tried);
  EXPECT_LT(setting.tried, 5000U);
  EXPECT_LE(setting.best.iteration, setting.by_default.iteration);
}

TEST(BestHorovodThreshold, IsTheBestOfWholeMebibytes) {
  constexpr Bytes kUnit = Bytes{1} << 20;
  for (unsigned seed = 0; seed < 200 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Cases cases(seed);
    const Profile profile = scaled(small_profile(cases), kUnit / 3);
    const CostModel cost(Line{cases.uniform(0.01, 1), cases.uniform(0.001, 0.1) / static_cast<double>(kUnit)});
    StrategyOptions options;
    options.horovod_cycle = 0.25;
    Seconds least = iteration(profile, cost, "horovod");
    for (options.horovod_threshold = 0; options.horovod_threshold <= profile.bytes() + kUnit;
         options.horovod_threshold += kUnit)
      least = std::min(least, iteration(profile, cost, "horovod", options));
    const ToolSetting setting = best_horovod_threshold(profile, cost, options.horovod_cycle, kTie);
    EXPECT_NEAR(setting.best.iteration, least, 1.1e-9 * least);
    EXPECT_EQ(setting.limit % kUnit, 0);
    if (setting.is_default) continue;
    options.horovod_threshold = setting.limit;
    EXPECT_EQ(strategies().find("horovod").plan(profile, cost, options), setting.best.plan);
  }
}

TEST(BestElementLimits, AreTheBestOfAllAndWholeElements) {
  for (unsigned seed = 0; seed < 200 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Cases cases(seed);
    const Profile profile = scaled(small_profile(cases), 4);
    const CostModel cost(Line{cases.uniform(0.01, 1), cases.uniform(0.001, 0.1)});
    const MergeProblem problem(profile, cost);
    Seconds deepspeed = std::numeric_limits<Seconds>::infinity();
    Seconds megatron = deepspeed;
    for (Bytes limit = 4; limit <= profile.bytes() + 4; limit += 4) {
      deepspeed = std::min(deepspeed, problem.finish(close_before_exceeding(problem, limit).ends) + profile.update);
      megatron = std::min(megatron, problem.finish(close_when_reached(problem, limit).ends) + profile.update);
    }
    const ToolSetting zero = best_deepspeed_bucket(profile, cost, 4, kTie);
    EXPECT_NEAR(zero.best.iteration, deepspeed, 1.1e-9 * deepspeed);
    EXPECT_EQ(zero.limit % 4, 0);
    EXPECT_EQ(close_before_exceeding(problem, zero.limit).ends, zero.best.plan.ends());
    const ToolSetting core = best_megatron_bucket(profile, cost, 4, 8, kTie);
    EXPECT_NEAR(core.best.iteration, megatron, 1.1e-9 * megatron);
    EXPECT_EQ(core.limit % 4, 0);
    EXPECT_EQ(close_when_reached(problem, core.limit).ends, core.best.plan.ends());
  }
}

TEST(BestElementLimits, TakeTheToolsDefaultsInElements) {
  const Profile hidden = profile_of({{4, 1}, {4, 1}}, {.idle = 100});
  const CostModel cost(Line{0.1, 0.01});
  EXPECT_EQ(best_deepspeed_bucket(hidden, cost, 2).limit, 1'000'000'000);
  EXPECT_EQ(best_megatron_bucket(hidden, cost, 4, 8).limit, 160'000'000);
  EXPECT_EQ(best_megatron_bucket(hidden, cost, 2, 512).limit, 1'024'000'000);
}

// Properties of every tool.

std::vector<ToolSetting> all_settings(const Profile& profile, const CostModel& cost) {
  return {best_ddp_cap(profile, cost, DdpFirstBucket::stays, kTie),
          best_ddp_cap(profile, cost, DdpFirstBucket::follows, kTie), best_horovod_threshold(profile, cost, 1e-3, kTie),
          best_deepspeed_bucket(profile, cost, 4, kTie), best_megatron_bucket(profile, cost, 4, 8, kTie)};
}

TEST(EveryToolSetting, IsPredictedAsPredictDoesAndLiesBetweenOptimumAndDefault) {
  for (unsigned seed = 0; seed < 300 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomCase random(seed);
    const Profile profile = random.profile();
    const CostModel cost = random.cost(random.overlap());
    const PredictedPlan best = optimum(profile, cost);
    EXPECT_EQ(best.iteration, predict(profile, make_schedule(profile, best.plan), cost).iteration);
    for (const ToolSetting& setting : all_settings(profile, cost)) {
      for (const PredictedPlan& predicted : {setting.best, setting.by_default})
        EXPECT_EQ(predicted.iteration, predict(profile, make_schedule(profile, predicted.plan), cost).iteration);
      EXPECT_LE(best.iteration, setting.best.iteration * (1 + 1.1e-9));
      EXPECT_LE(setting.best.iteration, setting.by_default.iteration * (1 + 1.1e-9));
    }
  }
}

TEST(EveryToolSetting, TriesAllPlansOfAHundredAndSixtyOneTensors) {
  Cases cases(7);
  const Profile profile = cases.network(161);
  for (const ToolSetting& setting : all_settings(profile, CostModel(Line{2.35e-3, 0.964e-9}))) {
    EXPECT_TRUE(setting.all_tried);
    EXPECT_LE(setting.tried, 161U * 162U / 2 + 1);
  }
}

TEST(ToolSettings, TellDifferentBoundaries) {
  EXPECT_EQ(different_boundaries(MergePlan({2, 5}), MergePlan({2, 5})), 0U);
  EXPECT_EQ(different_boundaries(MergePlan({2, 5}), MergePlan({5})), 1U);
  EXPECT_EQ(different_boundaries(MergePlan({2, 3, 5}), MergePlan({1, 3, 5})), 2U);
}

/// Against every limit there is, where there are few.
TEST(NearestToolSetting, NoLimitComesNearer) {
  for (unsigned seed = 0; seed < 100 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Cases cases(seed);
    Profile profile = cases.profile(12);
    for (Profile::Step& step : profile.steps)
      for (Tensor& tensor : step.tensors) tensor.bytes = 4 * static_cast<Bytes>(cases.integer(1, 20));
    const CostModel cost = cases.cost();
    const MergePlan wanted = cases.plan(ready_tensors(profile).size());
    const MergeProblem problem(profile, cost);
    std::size_t core = ready_tensors(profile).size();
    std::size_t zero = core;
    for (Bytes limit = 4; limit <= profile.bytes(); limit += 4) {
      core = std::min(core, different_boundaries(MergePlan(close_when_reached(problem, limit).ends), wanted));
      zero = std::min(zero, different_boundaries(MergePlan(close_before_exceeding(problem, limit).ends), wanted));
    }
    const ToolSetting ddp = best_ddp_cap(profile, cost, DdpFirstBucket::follows, kTie, &wanted);
    const ToolSetting megatron = best_megatron_bucket(profile, cost, 4, 8, kTie, &wanted);
    const ToolSetting deepspeed = best_deepspeed_bucket(profile, cost, 4, kTie, &wanted);
    EXPECT_EQ(ddp.different, core);
    EXPECT_EQ(megatron.different, core);
    EXPECT_EQ(deepspeed.different, zero);
    for (const ToolSetting& setting : {ddp, megatron, deepspeed})
      EXPECT_EQ(different_boundaries(setting.best.plan, wanted), setting.different);
  }
}

TEST(NearestToolSetting, OfAPlanThatTheToolCanMakeIsThatPlan) {
  Cases cases(3);
  const Profile profile = cases.network(40);
  const CostModel cost(Line{1e-3, 1e-9});
  const MergePlan wanted(close_when_reached(MergeProblem(profile, cost), 3'000'000).ends);
  const ToolSetting setting = best_ddp_cap(profile, cost, DdpFirstBucket::follows, kTie, &wanted);
  EXPECT_EQ(setting.different, 0U);
  EXPECT_EQ(setting.best.plan, wanted);
  EXPECT_EQ(best_ddp_cap(profile, cost, DdpFirstBucket::follows, kTie).different, 0U) << "none was wanted";
}

TEST(EveryToolSetting, RejectsAnInvalidProfile) {
  const CostModel cost(Line{1, 1});
  EXPECT_THROW(optimum({}, cost), Error);
  EXPECT_THROW(best_ddp_cap({}, cost, DdpFirstBucket::stays, kTie), Error);
  EXPECT_THROW(best_horovod_threshold({}, cost, 1e-3), Error);
  EXPECT_THROW(best_deepspeed_bucket({}, cost, 4), Error);
  EXPECT_THROW(best_megatron_bucket({}, cost, 4, 8), Error);
}

TEST(ToolSettings, LeaveTheDefaultWhereLittleIsGained) {
  // One message of everything, or two: the second saves 0.05 % of the iteration.
  const Profile profile = profile_of({{1000, 1}, {1000, 1e-4}}, {.forward = 1});
  const CostModel cost(Line{1e-5, 1e-6});
  EXPECT_FALSE(best_ddp_cap(profile, cost, DdpFirstBucket::follows, kTie).is_default);
  EXPECT_TRUE(best_ddp_cap(profile, cost, DdpFirstBucket::follows).is_default);
}

}  // namespace
}  // namespace mgbench

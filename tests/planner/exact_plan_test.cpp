#include "planner/exact_plan.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "planner/cases.h"
#include "planner/frontier_program.h"
#include "planner/oracles.h"
#include "planner/window_program.h"

namespace mgbench {
namespace {

using testing::Cases;
using testing::predicted_finish;

constexpr unsigned kCases = 4000;

/// Mostly small cases, in which everything that can go wrong goes wrong; now and then one of 2048 plans.
Profile small_profile(Cases& cases, unsigned seed) {
  return cases.profile(seed % 50 == 0 ? 12 : 8);
}

void expect_optimal(const Profile& profile, const CostModel& cost) {
  const testing::BruteForce best = testing::brute_force(profile, cost);
  const MergePlan plan = exact_plan(profile, cost);
  EXPECT_LE(predicted_finish(profile, cost, plan), best.finish * (1 + 1.1e-9));
  EXPECT_EQ(plan.groups(), best.messages);
}

TEST(ExactPlan, EqualsBruteForceForLines) {
  for (unsigned seed = 0; seed < kCases && !HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Cases cases(seed);
    const Profile profile = small_profile(cases, seed);
    expect_optimal(profile, CostModel(cases.line()));
  }
}

TEST(ExactPlan, EqualsBruteForceForCurvesThatNeverFall) {
  for (unsigned seed = 0; seed < kCases && !HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Cases cases(seed);
    const Profile profile = small_profile(cases, seed);
    expect_optimal(profile, CostModel(cases.curve(false), cases.line()));
  }
}

TEST(ExactPlan, EqualsBruteForceForAnyCurve) {
  for (unsigned seed = 0; seed < kCases && !HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Cases cases(seed);
    const Profile profile = small_profile(cases, seed);
    expect_optimal(profile, CostModel(cases.curve(true), cases.line()));
  }
}

TEST(ExactPlan, EqualsBruteForceWithOverlap) {
  for (unsigned seed = 0; seed < 3 * kCases && !HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Cases cases(seed);
    const Profile profile = small_profile(cases, seed);
    expect_optimal(profile, cases.cost().with_overlap(cases.overlap()));
  }
}

TEST(ExactPlan, BothProgramsAgreeOnRealisticSizes) {
  const Curve curve = {{4, 82e-6}, {8192, 182e-6}, {16384, 884e-6}, {1 << 20, 4.7e-3}, {1 << 26, 230e-3}};
  for (unsigned seed = 0; seed < 60 && !HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Cases cases(seed);
    const Profile profile = cases.network(161);
    const Line line{cases.uniform(1e-5, 4e-3), cases.uniform(5e-11, 4e-9)};
    for (const CostModel& cost : {CostModel(line), CostModel(curve, line)}) {
      const MergeProblem problem(profile, cost);
      const MergePlan window = window_plan(problem);
      const MergePlan frontier = frontier_plan(problem, MergePlan({161}));
      EXPECT_NEAR(predicted_finish(profile, cost, window) / predicted_finish(profile, cost, frontier), 1,
                  1.1e-9);
      EXPECT_EQ(window.groups(), frontier.groups());
    }
  }
}

TEST(ExactPlan, IsWorthMoreThanTheOptimumWithoutOverlapWhereMessagesDisturb) {
  // The plan that is best if messages do not slow computation is not if they do, in a good share of random
  // cases.
  unsigned worse = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    Cases cases(seed);
    const Profile profile = cases.profile(12);
    const CostModel cost(cases.line(), {0.5, 1.5, 0.01});
    const Seconds naive = predicted_finish(profile, cost, exact_plan(profile, cost.with_overlap({})));
    worse += naive > predicted_finish(profile, cost, exact_plan(profile, cost)) * 1.01;
  }
  EXPECT_GT(worse, 30);
}

TEST(ExactPlan, TiesGoToFewerMessages) {
  // Everything that is sent before the last tensor is ready is hidden, however it is cut.
  const Profile profile = testing::profile_of({{1, 1}, {1, 1}, {1, 1}, {1, 100}});
  EXPECT_EQ(exact_plan(profile, CostModel(Line{1, 1})), MergePlan({3, 4}));
  // Hidden altogether: the last step has no tensor.
  Profile hidden = profile;
  hidden.steps.front().tensors.clear();
  EXPECT_EQ(exact_plan(hidden, CostModel(Line{1, 1})), MergePlan({3}));
}

TEST(ExactPlan, SendsAllAtOnceWhereNothingOverlaps) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    Cases cases(seed);
    const Profile profile = cases.network(161);
    EXPECT_EQ(exact_plan(profile, CostModel(Line{1e-4, 1e-9}, {1, 1, 0})), MergePlan({161})) << seed;
  }
}

TEST(ExactPlan, AFasterLinkIsNeverPredictedSlower) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    Cases cases(seed);
    const Profile profile = cases.network(80);
    const Line line{cases.uniform(1e-5, 4e-3), cases.uniform(5e-11, 4e-9)};
    const CostModel slow(line);
    const CostModel fast(Line{line.a * cases.uniform(0.1, 1), line.b * cases.uniform(0.1, 1)});
    EXPECT_LE(predicted_finish(profile, fast, exact_plan(profile, fast)),
              predicted_finish(profile, slow, exact_plan(profile, slow)) * (1 + 1.1e-9))
        << seed;
  }
}

TEST(ExactPlan, DoesNotDependOnTheUnitOfTime) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    Cases cases(seed);
    Profile profile = cases.network(60);
    const Line line{cases.uniform(1e-5, 4e-3), cases.uniform(5e-11, 4e-9)};
    const Overlap overlap = cases.chance(0.5) ? Overlap{} : Overlap{0.2, 1.2, 2e-5};
    const MergePlan before = exact_plan(profile, CostModel(line, overlap));
    for (Profile::Step& step : profile.steps) {
      step.forward *= 8;
      step.backward *= 8;
    }
    const CostModel scaled(Line{8 * line.a, 8 * line.b},
                           {overlap.core_share, overlap.stretch, 8 * overlap.message_cpu});
    EXPECT_EQ(exact_plan(profile, scaled), before) << seed;
  }
}

}  // namespace
}  // namespace mgbench

#include "planner/exact_plan.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "planner/cases.h"
#include "planner/frontier_program.h"
#include "planner/message_units.h"
#include "planner/oracles.h"
#include "planner/split_plan.h"
#include "planner/window_program.h"

namespace mgbench {
namespace {

using testing::Cases;
using testing::predicted_finish;
using testing::profile_of;

constexpr unsigned kCases = 4000;
const Line kAnyLine{1, 1};

/// Mostly small cases, in which everything that can go wrong goes wrong; now and then one of 2048 plans.
Profile small_profile(Cases& cases, unsigned seed) {
  return cases.profile(seed % 50 == 0 ? 12 : 8);
}

/// The exact plan, and what the general program finds from the plainest plan, are the best of all.
void expect_optimal(const Profile& profile, const CostModel& cost) {
  const testing::BruteForce best = testing::brute_force(profile, cost);
  const MergeProblem problem(profile, cost);
  for (const MergePlan& plan : {exact_plan(profile, cost), frontier_plan(problem, MergePlan({problem.tensors()}))}) {
    EXPECT_LE(predicted_finish(profile, cost, plan), best.finish * (1 + 1.1e-9));
    EXPECT_EQ(plan.groups(), best.messages);
  }
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

TEST(ExactPlan, EqualsBruteForceWhereFinishingEarlierIsNotBetter) {
  // Found by search among millions of small cases: each misses the optimum if states are given up a little
  // too easily.
  const auto expect = [](std::initializer_list<testing::ReadyStep> steps, Seconds idle, Curve curve, Overlap overlap) {
    expect_optimal(profile_of(steps, {.idle = idle}), CostModel(std::move(curve), kAnyLine, overlap));
  };
  // Communication costs more beside computation than after it (core_share stretch > 1):
  expect({{1, 0.25}, {2, 0.75}, {1, 0.75}, {3, 1}, {2, 1}}, 0.5,
         {{1, 1.375}, {2, 0.75}, {3, 0.125}, {7, 2.75}, {8, 2.25}}, {0.5, 3, 0});
  expect({{4, 0.75}, {2, 1}, {4, 2}, {4, 0.5}, {4, 1.5}}, 0, {{2, 0.75}, {3, 0.375}, {7, 1.625}, {8, 1.875}},
         {0.5, 2.75, 0});
  // A message that starts just before computation ends costs CPU time, one just after does not:
  expect({{4, 2}, {4, 0}, {3, 0}, {3, 1.25}}, 0, {{2, 0.75}, {3, 0.5}, {5, 1.25}, {6, 2}, {8, 2.875}}, {0.5, 2, 1});
  expect({{1, 0.25}, {4, 0.5}, {3, 2}, {2, 0.75}}, 0,
         {{1, 0.625}, {2, 0.125}, {4, 0.5}, {5, 2.625}, {7, 2.75}, {8, 2.25}}, {0, 2, 0.75});
  // Starting a message costs more CPU time than the message takes:
  expect({{3, 1.25}, {2, 1.75}, {3, 0.25}}, 0.75, {{3, 0.125}, {4, 1.5}, {5, 2}, {6, 1.75}, {8, 2.125}}, {0, 1, 0.5});
  // The last message, too, if backward ends with a step that has no tensor:
  expect({{4, 1}, {1, 0.5}, {3, 1}, {2, 1.5}}, 0.25,
         {{2, 0.25}, {3, 0.375}, {4, 0.625}, {5, 2.75}, {6, 1.25}, {8, 2.875}}, {0, 1.5, 0.75});
  expect({{1, 1.75}, {3, 0.5}, {3, 0.5}}, 0.5, {{3, 0.5}, {4, 2.75}, {5, 1.375}, {7, 3}, {8, 1}}, {0, 1.25, 1});
}

TEST(ExactPlan, IsHardlyEverWorseWithoutTimeForAllStates) {
  unsigned worse = 0;
  for (unsigned seed = 0; seed < kCases; ++seed) {
    Cases cases(seed);
    const Profile profile = small_profile(cases, seed);
    const CostModel cost = cases.cost().with_overlap(cases.overlap());
    const MergeProblem problem(profile, cost);
    const MergePlan known = cases.plan(problem.tensors());
    const Seconds finish = problem.finish(frontier_plan(problem, known, 0).ends());
    EXPECT_LE(finish, problem.finish(known.ends()) * (1 + 1.1e-9)) << seed;
    worse += finish > problem.finish(exact_plan(profile, cost).ends()) * (1 + 2.2e-9);
  }
  EXPECT_LT(worse, kCases / 100);
}

TEST(ExactPlan, EndsWhereCostsJump) {
  // Messages of 1 MiB are far cheaper than larger ones: there are more states than can be kept.
  const Curve curve = {{4, 2.5e-5},       {65536, 6.7e-5},    {262144, 9.1e-5},  {1048576, 2.1e-4},
                       {4194304, 1.5e-3}, {16777216, 7.7e-3}, {67108864, 8.8e-2}};
  const CostModel cost(curve, Line{2.8e-5, 6.6e-11}, {0.07, 1.9, 2.9e-6});
  const Profile profile = Cases(200).network(161);
  const MergeProblem problem(profile, cost);
  const MergePlan single({161});
  const MergePlan plan = frontier_plan(problem, single, 1'000'000);
  EXPECT_LT(problem.finish(plan.ends()), problem.finish(single.ends()));
}

TEST(ExactPlan, CountsAsPredictDoes) {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    Cases cases(seed);
    const Profile profile = cases.profile(30);
    const CostModel cost = cases.cost().with_overlap(cases.overlap());
    const MergePlan plan = cases.plan(ready_tensors(profile).size());
    EXPECT_EQ(MergeProblem(profile, cost).finish(plan.ends()), predicted_finish(profile, cost, plan)) << seed;
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
      EXPECT_NEAR(predicted_finish(profile, cost, window) / predicted_finish(profile, cost, frontier), 1, 1.1e-9);
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
  const Profile profile = profile_of({{1, 1}, {1, 1}, {1, 1}, {1, 100}});
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

TEST(ExactPlan, SplitsTensorsWhereThatHelps) {
  for (unsigned seed = 0; seed < 500 && !HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Cases cases(seed);
    const Profile profile = cases.profile(4);
    Bytes largest = 4;
    for (const ReadyTensor& tensor : ready_tensors(profile)) largest = std::max(largest, tensor.bytes);
    const Profile split = split_tensors(profile, std::max<Bytes>(4, largest / 2));
    if (ready_tensors(split).size() > 10) continue;
    const CostModel cost = cases.chance(0.5) ? CostModel(cases.line()) : cases.cost().with_overlap(cases.overlap());
    expect_optimal(split, cost);
    // Every plan of whole tensors is one of the parts, too.
    EXPECT_LE(predicted_finish(split, cost, exact_plan(split, cost)),
              predicted_finish(profile, cost, exact_plan(profile, cost)) * (1 + 1.1e-9));
  }
}

TEST(BestSplit, TakesTheCoarsestPartsThatAreWorthIt) {
  // One tensor of 8 MiB whose parts are ready together with it: with a line nothing is gained.
  const Profile profile = profile_of({{8 << 20, 1}, {4, 1}}, {.forward = 1});
  EXPECT_EQ(best_split(profile, CostModel(Line{1e-3, 1e-9})).part, 0);
  // A cost that jumps above 2 MiB: quarters avoid it.
  const CostModel jumps(Regimes{{0, 1e-3, 1e-9}, {(2 << 20) + 1, 5, 1e-9}}, Line{1e-3, 1e-9});
  const SplitPlan split = best_split(profile, jumps);
  EXPECT_EQ(split.part, 2 << 20);
  EXPECT_LT(split.iteration, split.whole_iteration - 4);
}

TEST(ExactPlan, ASplitTensorNoLongerHoldsThePlanBack) {
  // A cost that jumps: two halves take less than the whole.
  const Profile profile = profile_of({{1'000'000, 1}, {4, 1}}, {.forward = 1});
  const CostModel cost(Curve{{4, 0.1}, {500'000, 0.4}, {500'004, 3}, {1'000'000, 4}}, Line{0.1, 4e-6});
  EXPECT_LT(predicted_finish(split_tensors(profile, 500'000), cost, exact_plan(split_tensors(profile, 500'000), cost)),
            predicted_finish(profile, cost, exact_plan(profile, cost)));
}

}  // namespace
}  // namespace mgbench

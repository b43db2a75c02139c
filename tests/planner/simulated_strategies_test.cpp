#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "planner/cases.h"
#include "planner/exact_plan.h"
#include "planner/oracles.h"
#include "planner/shared_link.h"
#include "planner/simulated_strategy.h"

namespace mgbench {
namespace {

using testing::Cases;
using testing::profile_of;

constexpr unsigned kCases = 1000;
const Line kLine{0.5, 0.125};  // exact in binary

Schedule schedule_of(const char* strategy, const Profile& profile, const CostModel& cost) {
  return simulated_strategies().find(strategy).schedule(profile, cost, {});
}

TEST(ShareLink, TwoAtOnceCostAsPublished) {
  // a + 1.5 b m each.
  const auto times = share_link({{0, 1, 0.5, 2}, {1, 1, 0.5, 2}}, 1.5);
  EXPECT_DOUBLE_EQ(times[0].end, 1 + 0.5 + 1.5 * 2);
  EXPECT_DOUBLE_EQ(times[1].end, 1 + 0.5 + 1.5 * 2);
}

TEST(ShareLink, StartUpIsNotShared) {
  // The second starts up while the first transfers alone, then both transfer at 2/3 until the first ends.
  const auto times = share_link({{0, 0, 1, 4}, {1, 1, 1, 4}}, 1.5);
  EXPECT_DOUBLE_EQ(times[0].end, 2 + 3 * 1.5);
  EXPECT_DOUBLE_EQ(times[1].end, 2 + 3 * 1.5 + 1);
}

TEST(ShareLink, OneChannelIsPlain) {
  const auto times = share_link({{0, 1, 0.5, 2}, {0, 2, 0.5, 1}}, 1.5);
  EXPECT_DOUBLE_EQ(times[0].end, 3.5);
  EXPECT_DOUBLE_EQ(times[1].start, 3.5);
  EXPECT_DOUBLE_EQ(times[1].end, 5);
}

TEST(ShareLink, SharingCostsSomethingAndAlwaysEnds) {
  for (unsigned seed = 0; seed < kCases; ++seed) {
    Cases cases(seed);
    std::vector<SharedMessage> messages;
    double ready = 0;
    for (std::size_t i = 0; i < cases.integer(1, 20); ++i)
      messages.push_back({static_cast<int>(cases.integer(0, 1)), ready += cases.uniform(0, 0.3), cases.uniform(0, 0.1),
                          cases.chance(0.1) ? 0 : cases.uniform(0, 1)});
    const double sharing = cases.uniform(1, 2);
    const auto shared = share_link(messages, sharing);
    const auto free = share_link(messages, 1);
    for (std::size_t i = 0; i < messages.size(); ++i) {
      EXPECT_GE(shared[i].start, messages[i].ready);
      EXPECT_GE(shared[i].end, shared[i].start + (messages[i].startup + messages[i].transfer) * (1 - 1e-12));
      EXPECT_LE(shared[i].end,
                shared[i].start + (messages[i].startup + sharing * messages[i].transfer) * (1 + 1e-9) + 1e-12);
      EXPECT_NEAR(free[i].end, free[i].start + messages[i].startup + messages[i].transfer, 1e-9);
    }
  }
}

TEST(AscWfbp, IsNeverPredictedSlowerThanOneChannel) {
  for (unsigned seed = 0; seed < kCases; ++seed) {
    Cases cases(seed);
    const Profile profile = cases.profile(12);
    const CostModel cost = cases.cost();
    const Seconds one = predict(profile, make_schedule(profile, exact_plan(profile, cost)), cost).iteration;
    EXPECT_LE(predict(profile, schedule_of("asc-wfbp", profile, cost), cost).iteration, one) << seed;
  }
}

TEST(AscWfbp, HidesStartUpThatOneChannelCannot) {
  // Everything ready at once, in two halves whose start-up is most of the time.
  const Profile profile = profile_of({{4, 1}, {4, 0.001}}, {.forward = 1});
  const CostModel cost(Line{1, 0.01});
  const Schedule schedule = make_schedule(profile, MergePlan({1, 2}));
  Schedule both = schedule;
  both[1].channel = 1;
  EXPECT_LT(predict(profile, both, cost).iteration, predict(profile, schedule, cost).iteration);
}

TEST(AscWfbp, SharingIsPartOfTheCost) {
  EXPECT_EQ(CostModel(kLine).sharing(), 1.5);
  EXPECT_EQ(CostModel(kLine).with_sharing(1.2).with_overlap({}).sharing(), 1.2);
  EXPECT_THROW(CostModel(kLine).with_sharing(0.9), Error);
}

// Steps "a" (forward first) and "b": forward 1 and 2, backward 1 and 1; a holds 8 bytes, b 4.
Profile two_steps() {
  return {.model = "two",
          .backend = "none",
          .batch = 1,
          .steps = {{.name = "a", .forward = 1, .backward = 1, .tensors = {{"a", 8}}},
                    {.name = "b", .forward = 2, .backward = 1, .tensors = {{"b", 4}}}},
          .update = 0.25};
}

TEST(PredictDear, ForwardWaitsForItsGathers) {
  // Halves of 1/2 + m/8: b 0.5, a 0.75, both 1.
  Schedule schedule = make_schedule(two_steps(), MergePlan({1, 2}));
  for (Message& message : schedule) message.collective = Collective::reduce_scatter;
  schedule.push_back({.arena = {4, 12}, .collective = Collective::all_gather, .released_by = 0, .needed_by = 0});
  schedule.push_back({.arena = {0, 4}, .collective = Collective::all_gather, .released_by = 0, .needed_by = 1});
  const Timeline timeline = predict(two_steps(), schedule, CostModel(kLine));
  EXPECT_EQ(timeline.messages[2].end, 0.75);  // a starts
  EXPECT_EQ(timeline.messages[3].end, 1.25);  // b is not held up: a ends at 1.75
  EXPECT_EQ(timeline.stall, 0.75);
  EXPECT_EQ(timeline.forward_end, 3.75);
  EXPECT_EQ(timeline.backward_end, 5.75);
  EXPECT_EQ(timeline.messages[0].start, 4.75);
  EXPECT_EQ(timeline.communication_end, 5.75 + 0.75);
  EXPECT_EQ(timeline.iteration, 6.75);
  EXPECT_EQ(timeline.exposed(), 0.75 + 0.75);
}

TEST(PredictDear, KnowsNoOverlap) {
  const Schedule schedule = schedule_of("dear", two_steps(), CostModel(kLine));
  EXPECT_THROW(predict(two_steps(), schedule, CostModel(kLine, {0.5, 1, 0})), Error);
}

/// The shortest iteration over all ways to group reduce-scatters and all-gathers.
Seconds brute_force_dear(const Profile& profile, const CostModel& cost) {
  const std::size_t tensors = ready_tensors(profile).size();
  std::vector<Schedule> scatters, gathers;
  for (std::size_t cuts = 0; cuts < std::size_t{1} << (tensors - 1); ++cuts) {
    std::vector<std::size_t> ends;
    for (std::size_t end = 1; end < tensors; ++end)
      if (cuts >> (end - 1) & 1) ends.push_back(end);
    ends.push_back(tensors);
    Schedule schedule = make_schedule(profile, MergePlan(ends));
    for (Message& message : schedule) message.collective = Collective::reduce_scatter;
    scatters.push_back(schedule);
    std::reverse(schedule.begin(), schedule.end());
    for (Message& message : schedule) {
      message.collective = Collective::all_gather;
      message.needed_by = message.released_by;
      message.released_by = 0;
    }
    gathers.push_back(schedule);
  }
  Seconds best = 1e9;
  for (const Schedule& scatter : scatters)
    for (const Schedule& gather : gathers) {
      Schedule both = scatter;
      both.insert(both.end(), gather.begin(), gather.end());
      best = std::min(best, predict(profile, both, cost).iteration);
    }
  return best;
}

TEST(Dear, EqualsBruteForce) {
  for (unsigned seed = 0; seed < 400 && !HasFailure(); ++seed) {
    Cases cases(seed);
    Profile profile = cases.profile(6);
    for (auto& step : profile.steps) step.forward = cases.chance(0.2) ? 0 : cases.uniform(0, 0.3);
    const CostModel cost = cases.chance(0.5) ? CostModel(cases.line()) : CostModel(cases.curve(false), cases.line());
    EXPECT_NEAR(predict(profile, schedule_of("dear", profile, cost), cost).iteration, brute_force_dear(profile, cost),
                1e-8)
        << seed;
  }
}

TEST(SimulatedStrategies, SendEveryGradientOnceEachWay) {
  for (const SimulatedStrategyEntry& strategy : simulated_strategies())
    for (unsigned seed = 0; seed < 200; ++seed) {
      Cases cases(seed);
      const Profile profile = cases.profile(12);
      Bytes reduced = 0, gathered = 0;
      for (const Message& message : strategy.schedule(profile, CostModel(cases.line()), {})) {
        if (message.collective != Collective::all_gather) reduced += message.arena.size();
        if (message.collective != Collective::reduce_scatter) gathered += message.arena.size();
      }
      EXPECT_EQ(reduced, profile.bytes()) << strategy.name;
      EXPECT_EQ(gathered, profile.bytes()) << strategy.name;
    }
}

}  // namespace
}  // namespace mgbench

#include "planner/timeline.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "planner/cases.h"
#include "planner/oracles.h"

namespace mgbench {
namespace {

using testing::Cases;
using testing::profile_of;

// Powers of two and their small multiples, so that all times are exact: T(m) = 1/2 + m/8.
const Line kLine{0.5, 0.125};

// Forward 1, then tensors of 4 and 8 bytes ready at 2 and 3.
Profile two_tensors() {
  return profile_of({{4, 1}, {8, 1}}, {.forward = 1, .update = 0.25});
}

Timeline predict_plan(const Profile& profile, std::vector<std::size_t> ends, const CostModel& cost) {
  return predict(profile, make_schedule(profile, MergePlan(std::move(ends))), cost);
}

TEST(Predict, SendsOneMessageAtATime) {
  const Timeline timeline =
      predict_plan(profile_of({{12, 1}, {8, 1}}, {.forward = 1, .update = 0.25}), {1, 2}, CostModel(kLine));
  EXPECT_EQ(timeline.forward_end, 1);
  EXPECT_EQ(timeline.backward_end, 3);
  EXPECT_EQ(timeline.messages[0].ready, 2);
  EXPECT_EQ(timeline.messages[0].start, 2);
  EXPECT_EQ(timeline.messages[0].end, 4);
  EXPECT_EQ(timeline.messages[1].ready, 3);
  EXPECT_EQ(timeline.messages[1].start, 4);
  EXPECT_EQ(timeline.messages[1].end, 5.5);
  EXPECT_EQ(timeline.communication_end, 5.5);
  EXPECT_EQ(timeline.exposed(), 2.5);
  EXPECT_EQ(timeline.iteration, 5.75);
}

TEST(Predict, WaitsForTheLastGradientOfAMessage) {
  const Timeline timeline = predict_plan(two_tensors(), {2}, CostModel(kLine));
  ASSERT_EQ(timeline.messages.size(), 1);
  EXPECT_EQ(timeline.messages[0].ready, 3);
  EXPECT_EQ(timeline.communication_end, 5);
  EXPECT_EQ(timeline.iteration, 5.25);
}

TEST(Predict, CommunicationMayEndBeforeBackward) {
  const Profile profile = profile_of({{4, 1}}, {.forward = 1, .idle = 8, .update = 0.25});
  const Timeline timeline = predict_plan(profile, {1}, CostModel(kLine));
  EXPECT_EQ(timeline.communication_end, 3);
  EXPECT_EQ(timeline.backward_end, 10);
  EXPECT_EQ(timeline.exposed(), 0);
  EXPECT_EQ(timeline.iteration, 10.25);
}

TEST(Predict, AnEmptyScheduleIsComputationAlone) {
  const Timeline timeline = predict(two_tensors(), {}, CostModel(kLine));
  EXPECT_EQ(timeline.communication_end, 3);
  EXPECT_EQ(timeline.exposed(), 0);
  EXPECT_EQ(timeline.iteration, 3.25);
}

TEST(Predict, NothingOverlapsWhereMessagesTakeTheWholeCore) {
  const CostModel cost(kLine, {1, 1, 0});
  const Timeline timeline = predict_plan(two_tensors(), {1, 2}, cost);
  EXPECT_EQ(timeline.messages[0].end, 3);
  EXPECT_EQ(timeline.backward_end, 4);
  EXPECT_EQ(timeline.communication_end, 5.5);
  EXPECT_EQ(timeline.iteration, 3 + 1 + 1.5 + 0.25);
}

TEST(Predict, ASharedCoreSlowsComputation) {
  // The first message starts at 2 and takes 1: computation advances by half in it, and the rest ends at 3.5.
  const Timeline timeline = predict_plan(two_tensors(), {1, 2}, CostModel(kLine, {0.5, 1, 0}));
  EXPECT_EQ(timeline.messages[0].end, 3);
  EXPECT_EQ(timeline.backward_end, 3.5);
  EXPECT_EQ(timeline.messages[1].ready, 3.5);
  EXPECT_EQ(timeline.communication_end, 5);
}

TEST(Predict, AMessageIsStretchedOnlyWhileComputationRuns) {
  // Starts at 2 with 2 to do; by 3, when computation ends, half a second of it is done at 1 / 2 of its rate.
  const Profile profile = profile_of({{12, 1}, {8, 1}}, {.forward = 1});
  const Timeline timeline = predict_plan(profile, {1, 2}, CostModel(kLine, {0, 2, 0}));
  EXPECT_EQ(timeline.backward_end, 3);
  EXPECT_EQ(timeline.messages[0].end, 4.5);
  EXPECT_EQ(timeline.communication_end, 6);
}

TEST(Predict, AMessageCostsComputationItsCpuTimeOnce) {
  // The second message starts when backward has ended and costs nothing.
  const Timeline timeline = predict_plan(two_tensors(), {1, 2}, CostModel(kLine, {0, 1, 0.25}));
  EXPECT_EQ(timeline.backward_end, 3.25);
  EXPECT_EQ(timeline.messages[1].start, 3.25);
  EXPECT_EQ(timeline.communication_end, 4.75);
}

TEST(Predict, EqualsTheSimulationOfEvents) {
  for (unsigned seed = 0; seed < 20000 && !HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Cases cases(seed);
    const Profile profile = cases.profile(12);
    const CostModel cost = cases.cost().with_overlap(cases.overlap());
    const Schedule schedule = make_schedule(profile, cases.plan(ready_tensors(profile).size()));
    const Timeline predicted = predict(profile, schedule, cost);
    const Timeline simulated = testing::simulate(profile, schedule, cost);
    constexpr double kNear = 1e-9;
    EXPECT_NEAR(predicted.forward_end, simulated.forward_end, kNear);
    EXPECT_NEAR(predicted.backward_end, simulated.backward_end, kNear);
    EXPECT_NEAR(predicted.communication_end, simulated.communication_end, kNear);
    EXPECT_NEAR(predicted.iteration, simulated.iteration, kNear);
    ASSERT_EQ(predicted.messages.size(), simulated.messages.size());
    for (std::size_t i = 0; i < schedule.size(); ++i) {
      EXPECT_NEAR(predicted.messages[i].ready, simulated.messages[i].ready, kNear);
      EXPECT_NEAR(predicted.messages[i].start, simulated.messages[i].start, kNear);
      EXPECT_NEAR(predicted.messages[i].end, simulated.messages[i].end, kNear);
    }
  }
}

TEST(Predict, RejectsSchedulesThatDoNotFit) {
  const Profile profile = two_tensors();
  const CostModel cost(kLine);
  Message message{{0, 4}, Collective::allreduce, 0, 1};
  EXPECT_NO_THROW(predict(profile, {message}, cost));
  Message wrong = message;
  wrong.released_by = 2;
  EXPECT_THROW(predict(profile, {wrong}, cost), Error);
  wrong = message;
  wrong.arena = {4, 4};
  EXPECT_THROW(predict(profile, {wrong}, cost), Error);
  wrong = message;
  wrong.channel = 1;
  EXPECT_NO_THROW(predict(profile, {wrong}, cost));
  EXPECT_THROW(predict(profile, {wrong}, CostModel(kLine, {0.5, 1, 0})), Error);
  wrong = message;
  wrong.needed_by = 2;
  EXPECT_THROW(predict(profile, {wrong}, cost), Error);
  Message last{{4, 12}, Collective::allreduce, 0, 0};
  EXPECT_NO_THROW(predict(profile, {message, last}, cost));
  EXPECT_THROW(predict(profile, {last, message}, cost), Error);
  EXPECT_THROW(predict(Profile{}, {}, cost), Error);
}

}  // namespace
}  // namespace mgbench

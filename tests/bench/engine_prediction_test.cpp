#include <gtest/gtest.h>

#include "bench/gpu/stream_communicator.h"
#include "bench/training/captured_step.h"
#include "planner/strategy.h"
#include "support/random_case.h"
#include "support/shared_core.h"
#include "support/virtual_clock.h"
#include "support/virtual_communicator.h"
#include "support/virtual_device_network.h"

namespace mgbench {
namespace {

constexpr unsigned kCases = 1000;

/// What train_step() measured, in the predictor's terms.
Timeline measured(const Network& network, const Communicator& communicator, const IterationMarks& marks) {
  const Seconds begin = network.seconds(marks.begin);
  const auto since_begin = [&](Mark mark) { return network.seconds(mark) - begin; };
  Timeline timeline{.forward_end = since_begin(marks.forward.back()),
                    .backward_end = since_begin(marks.backward.front()),
                    .communication_end = since_begin(marks.joined),
                    .iteration = since_begin(marks.end)};
  for (const MessageTimes& times : communicator.spans())
    timeline.messages.push_back({times.ready - begin, times.start - begin, times.end - begin});
  return timeline;
}

void expect_equal(const Timeline& measured, const Timeline& predicted) {
  EXPECT_EQ(measured.forward_end, predicted.forward_end);
  EXPECT_EQ(measured.backward_end, predicted.backward_end);
  EXPECT_EQ(measured.iteration, predicted.iteration);
  ASSERT_EQ(measured.messages.size(), predicted.messages.size());
  for (std::size_t i = 0; i < predicted.messages.size(); ++i) {
    EXPECT_EQ(measured.messages[i].ready, predicted.messages[i].ready) << "message " << i;
    EXPECT_EQ(measured.messages[i].start, predicted.messages[i].start) << "message " << i;
    EXPECT_EQ(measured.messages[i].end, predicted.messages[i].end) << "message " << i;
  }
  // Joined: no earlier than the end of backward, which may come after the last message.
  EXPECT_EQ(measured.communication_end, std::max(predicted.communication_end, predicted.backward_end));
}

/// Two iterations, so that the second starts at a time other than zero.
void expect_engine_agrees(Network& network, Communicator& communicator, const Schedule& schedule,
                          const Timeline& predicted) {
  IterationMarks marks(network.steps());
  for (int iteration = 0; iteration < 2; ++iteration) {
    communicator.prepare(schedule.size());
    train_step(network, communicator, schedule, marks);
    expect_equal(measured(network, communicator, marks), predicted);
  }
}

/// A schedule for every registered strategy and a random one.
std::vector<Schedule> schedules(RandomCase& random, const Profile& profile, const CostModel& cost) {
  std::vector<Schedule> result{make_schedule(profile, random.plan(ready_tensors(profile).size()))};
  for (const StrategyEntry& strategy : strategies())
    result.push_back(
        make_schedule(profile, strategy.plan(profile, cost, {.ddp_first_bucket = 1000, .ddp_bucket = 4000})));
  return result;
}

TEST(EngineAndPredictor, AgreeExactlyOnAHost) {
  const BackendEntry& replay = backends().find("replay");
  for (unsigned seed = 0; seed < kCases; ++seed) {
    SCOPED_TRACE(seed);
    RandomCase random(seed);
    const Profile profile = random.profile();
    const CostModel cost = random.cost();
    for (const Schedule& schedule : schedules(random, profile, cost)) {
      VirtualClock clock;
      const auto network = replay.make({.profile = &profile, .clock = &clock});
      VirtualCommunicator communicator(clock, cost);
      expect_engine_agrees(*network, communicator, schedule, predict(profile, schedule, cost));
    }
    if (HasFailure()) return;
  }
}

TEST(EngineAndPredictor, AgreeExactlyOnADeviceWithStreams) {
  for (unsigned seed = 0; seed < kCases; ++seed) {
    SCOPED_TRACE(seed);
    RandomCase random(seed);
    const Profile profile = random.profile();
    const CostModel cost = random.cost();
    for (const Schedule& schedule : schedules(random, profile, cost)) {
      VirtualClock clock;
      VirtualDevice device(clock);
      VirtualDeviceNetwork network(profile, device);
      StreamCommunicator communicator(device, clock, std::make_unique<VirtualStreamAllreduce>(device, cost));
      expect_engine_agrees(network, communicator, schedule, predict(profile, schedule, cost));
      EXPECT_TRUE(device.races().empty()) << device.races().front();
    }
    if (HasFailure()) return;
  }
}

TEST(EngineAndPredictor, AgreeExactlyOnACapturedIteration) {
  for (unsigned seed = 0; seed < kCases; ++seed) {
    SCOPED_TRACE(seed);
    RandomCase random(seed);
    const Profile profile = random.profile();
    const CostModel cost = random.cost();
    const Schedule schedule = make_schedule(profile, random.plan(ready_tensors(profile).size()));
    const Timeline predicted = predict(profile, schedule, cost);
    VirtualClock clock;
    VirtualDevice device(clock);
    VirtualDeviceNetwork network(profile, device);
    StreamCommunicator communicator(device, clock, std::make_unique<VirtualStreamAllreduce>(device, cost));
    CapturedStep step(network, communicator, schedule);
    for (int iteration = 0; iteration < 3; ++iteration) {
      const Seconds begin = clock.now();
      step.run();
      expect_equal(measured(network, communicator, step.marks()), predicted);
      EXPECT_EQ(network.seconds(step.marks().begin), begin) << "of this launch";
    }
    EXPECT_TRUE(device.races().empty()) << device.races().front();
    if (HasFailure()) return;
  }
}

/// The engine on one core that computes and carries messages against predict() with the same overlap.
void expect_agreement_on_a_shared_core(const Profile& profile, const Schedule& schedule, const CostModel& cost,
                                       const Timeline& predicted) {
  VirtualClock clock;
  SharedCore core(clock, cost.overlap());
  SharedCoreNetwork network(profile, core);
  SharedCoreCommunicator communicator(core, cost);
  expect_engine_agrees(network, communicator, schedule, predicted);
}

TEST(EngineAndPredictor, AgreeWhenMessagesAndComputationDisturbOneAnother) {
  for (unsigned seed = 0; seed < kCases; ++seed) {
    SCOPED_TRACE(seed);
    RandomCase random(seed);
    const Profile profile = random.profile(6, 1);
    const CostModel cost = random.cost(random.overlap());
    for (const Schedule& schedule : schedules(random, profile, cost))
      expect_agreement_on_a_shared_core(profile, schedule, cost, predict(profile, schedule, cost));
    if (HasFailure()) return;
  }
}

/// The virtual device must see the mistakes that the loop could make, or its silence says nothing.
class PlantedRace : public testing::Test {
 protected:
  void start(const Event& event) { communicator_.start(message_, network_.gradients(message_.arena), event); }
  void expect_race(const std::string& race) const { EXPECT_EQ(device_.races(), std::vector<std::string>{race}); }

  /// One step of 1 s each way whose message takes 1 s.
  const Profile profile_{.model = "one",
                         .steps = {{.name = "step", .forward = 1, .backward = 1, .tensors = {{"weight", 4}}}},
                         .update = 1};
  const CostModel cost_{Line{.a = 0.5, .b = 0.125}};
  const Message message_{.arena = {0, 4}};
  VirtualClock clock_;
  VirtualDevice device_{clock_};
  VirtualDeviceNetwork network_{profile_, device_};
  StreamCommunicator communicator_{device_, clock_, std::make_unique<VirtualStreamAllreduce>(device_, cost_)};

 private:
  void SetUp() override { communicator_.prepare(1); }
};

TEST_F(PlantedRace, NoneInOrder) {
  for (int iteration = 0; iteration < 2; ++iteration) {
    communicator_.prepare(1);
    network_.forward(0);
    network_.backward(0);
    start(network_.record());
    network_.wait(communicator_.join());
    network_.update();
  }
  EXPECT_EQ(device_.races(), std::vector<std::string>());
}

TEST_F(PlantedRace, MessageBeforeItsGradients) {
  network_.forward(0);
  const Event too_early = network_.record();
  network_.backward(0);
  start(too_early);
  expect_race("backward / allreduce");
}

TEST_F(PlantedRace, MessageWithoutAnEvent) {
  network_.backward(0);
  start({});
  expect_race("backward / allreduce");
}

TEST_F(PlantedRace, UpdateWithoutWaitingForTheJoin) {
  network_.backward(0);
  start(network_.record());
  communicator_.join();
  network_.update();
  expect_race("allreduce / update");
}

TEST_F(PlantedRace, NextBackwardWhileTheMessageIsInFlight) {
  network_.backward(0);
  start(network_.record());
  network_.backward(0);
  expect_race("allreduce / backward");
}

TEST_F(PlantedRace, ForwardBeforeTheUpdate) {
  network_.backward(0);
  start(network_.record());
  network_.wait(communicator_.join());
  network_.update();
  network_.forward_on(device_.make_stream(false), 0);
  expect_race("update / forward");
}

/// However late the other is: times are no order.
TEST_F(PlantedRace, TimeDoesNotOrder) {
  network_.backward(0);
  clock_.sleep_until(1000);
  start({});
  expect_race("backward / allreduce");
}

TEST_F(PlantedRace, TheHostOrdersByWaiting) {
  network_.backward(0);
  network_.synchronize();
  start({});
  EXPECT_EQ(device_.races(), std::vector<std::string>());
}

TEST_F(PlantedRace, InAGraph) {
  const auto graph = network_.capture([&] {
    network_.forward(0);
    const Event too_early = network_.record();
    network_.backward(0);
    start(too_early);
    network_.wait(communicator_.join());
    network_.update();
  });
  EXPECT_EQ(device_.races(), std::vector<std::string>()) << "nothing has run";
  graph->launch();
  expect_race("backward / allreduce");
}

TEST_F(PlantedRace, NoneBetweenLaunches) {
  const auto graph = network_.capture([&] {
    network_.forward(0);
    network_.backward(0);
    start(network_.record());
    network_.wait(communicator_.join());
    network_.update();
  });
  graph->launch();
  graph->launch();
  network_.forward(0);
  EXPECT_EQ(device_.races(), std::vector<std::string>());
}

TEST_F(PlantedRace, AGraphThatDoesNotWaitForItsMessages) {
  EXPECT_THROW(network_.capture([&] {
    network_.backward(0);
    start(network_.record());
    network_.update();
  }),
               Error);
}

TEST_F(PlantedRace, MarkReadBeforeSynchronize) {
  network_.forward(0);
  const Mark mark = network_.mark();
  EXPECT_THROW(network_.seconds(mark), Error);
  network_.synchronize();
  EXPECT_EQ(network_.seconds(mark), 1);
}

}  // namespace
}  // namespace mgbench

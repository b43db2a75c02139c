// Under mpiexec: how records of ranks become samples, profiles and overlap.
#include "bench/training/trainer.h"

#include <gtest/gtest.h>

#include "bench/gpu/stream_communicator.h"
#include "bench/mpi/process_group.h"
#include "bench/training/observe.h"
#include "bench/training/rounds.h"
#include "support/virtual_clock.h"
#include "support/virtual_device_network.h"

namespace mgbench {
namespace {

class Agreement : public testing::Test {
 protected:
  ProcessGroup group_{MPI_COMM_WORLD};
};

/// An iteration of two steps: forward 1 + 1, backward 2 + 2, exposed 3, update 1; everything times `scale`.
IterationRecord record(double scale) {
  IterationRecord result;
  result.duration = 10 * scale;
  result.forward_ends = {1 * scale, 2 * scale};
  result.backward_ends = {6 * scale, 4 * scale};
  result.update = 1 * scale;
  result.timeline.forward_end = 2 * scale;
  result.timeline.backward_end = 6 * scale;
  result.timeline.communication_end = 9 * scale;
  result.timeline.iteration = 10 * scale;
  return result;
}

Profile outline() {
  Profile profile;
  profile.steps = {{.name = "first", .forward = 0, .backward = 0, .tensors = {{"first", 400}}},
                   {.name = "second", .forward = 0, .backward = 0, .tensors = {{"second", 800}}}};
  return profile;
}

TEST_F(Agreement, SamplesAreOfTheSlowestRank) {
  // In iteration i rank i (modulo) is the slowest.
  std::vector<IterationRecord> records;
  for (int i = 0; i < 5; ++i) records.push_back(record(i % group_.size() == group_.rank() ? 2 : 1));
  const std::vector<Sample> samples = agree_on_samples(group_, records, 7);
  ASSERT_EQ(samples.size(), 5U);
  for (int i = 0; i < 5; ++i) {
    const Sample& sample = samples[static_cast<std::size_t>(i)];
    EXPECT_EQ(sample.slowest_rank, i % group_.size());
    EXPECT_EQ(sample.round, 7);
    EXPECT_EQ(sample.position, i);
    EXPECT_DOUBLE_EQ(sample.iteration, 20);
    EXPECT_DOUBLE_EQ(sample.forward, 4);
    EXPECT_DOUBLE_EQ(sample.backward, 8);
    EXPECT_DOUBLE_EQ(sample.exposed, 6);
    EXPECT_DOUBLE_EQ(sample.update, 2);
    EXPECT_FALSE(sample.rejected);
  }
}

TEST_F(Agreement, AnOverrunOnAnyRankRejectsTheSample) {
  std::vector<IterationRecord> records{record(1), record(3)};
  records[1].overrun = group_.rank() == group_.size() - 1;
  const std::vector<Sample> samples = agree_on_samples(group_, records, 0);
  EXPECT_FALSE(samples[0].rejected);
  EXPECT_TRUE(samples[1].rejected);
  Contestant contestant;
  contestant.samples = samples;
  EXPECT_DOUBLE_EQ(contestant.iteration().median, 10);
}

TEST_F(Agreement, AProfileHoldsTheMediansOfTheSlowestRank) {
  const double scale = 1 + group_.rank();
  const Profile profile = observe_profile(group_, outline(), {record(scale), record(100 * scale), record(scale)});
  const double slowest = group_.size();
  EXPECT_DOUBLE_EQ(profile.steps[0].forward, slowest);
  EXPECT_DOUBLE_EQ(profile.steps[1].forward, slowest);
  EXPECT_DOUBLE_EQ(profile.steps[1].backward, 2 * slowest);
  EXPECT_DOUBLE_EQ(profile.steps[0].backward, 2 * slowest);
  EXPECT_DOUBLE_EQ(profile.update, slowest);
  EXPECT_EQ(profile.steps[1].tensors[0].name, "second");
}

TEST_F(Agreement, OverlapIsWhatBackwardLostWhileMessagesWereInFlight) {
  // One message from 4 to 9 that was calibrated at 2.5; the second backward step (4 to 6 without it) lasts until 8.
  const std::vector<IterationRecord> quiet{record(1), record(1), record(1)};
  IterationRecord busy = record(1);
  busy.backward_ends = {10, 4};
  busy.timeline.backward_end = 10;
  busy.timeline.messages = {{.ready = 4, .start = 4, .end = 9}};
  const Schedule schedule{{.arena = {0, 800}, .released_by = 1}};
  const CostModel cost(Line{2.5 - 800e-3, 1e-3});
  const Overlap overlap = fit_overlap({observe_schedule(group_, quiet, {busy, busy, busy}, schedule, cost)});
  EXPECT_NEAR(overlap.stretch, 2, 1e-9);
  // The only step: extra 4 = core_share * 5 + message_cpu * 1 has many solutions; each must explain it.
  EXPECT_NEAR(overlap.core_share * 5 + overlap.message_cpu, 4, 1e-9);
}

TEST_F(Agreement, AMessageTakesAsLongAsOnTheRankThatStartsItLast) {
  // Each rank's clock has its own zero; in iteration i message 0 waits for rank i (modulo), message 1 for nobody.
  std::vector<IterationRecord> records;
  for (int i = 0; i < 5; ++i) {
    const double zero = 100.0 * group_.rank();
    const double wait = i % group_.size() == group_.rank() ? 0 : 1 + group_.rank();
    IterationRecord one = record(1);
    one.timeline.messages = {{.ready = zero, .start = zero, .end = zero + wait + 2},
                             {.ready = zero + 9, .start = zero + 10, .end = zero + 13 + i}};
    records.push_back(one);
  }
  const std::vector<Seconds> transfers = observe_transfers(group_, records);
  ASSERT_EQ(transfers.size(), 2U);
  EXPECT_DOUBLE_EQ(transfers[0], 2);
  EXPECT_DOUBLE_EQ(transfers[1], 3 + 2);  // the median over iterations
}

TEST(ProbePlan, CoversAllTensorsWithSmallAndLargeMessages) {
  for (std::size_t tensors : {1U, 2U, 7U, 20U, 161U}) EXPECT_EQ(probe_plan(tensors).tensors(), tensors);
  EXPECT_LT(probe_plan(161).groups(), 80U);
  EXPECT_GT(probe_plan(161).groups(), 20U);
}

/// One whose marks take a quarter of a second to read.
class SlowlyRead final : public VirtualDeviceNetwork {
 public:
  SlowlyRead(Profile profile, VirtualDevice& device, VirtualClock& clock)
      : VirtualDeviceNetwork(std::move(profile), device), clock_(clock) {}
  Seconds seconds(Mark mark) const override {
    clock_.sleep_until(clock_.now() + 0.25);
    return VirtualDeviceNetwork::seconds(mark);
  }

 private:
  VirtualClock& clock_;
};

TEST(CapturedIterations, LastWithoutTheReadingOfTheirTimes) {
  ProcessGroup group(MPI_COMM_WORLD);
  Profile profile = outline();
  for (Profile::Step& step : profile.steps) step.forward = step.backward = 1;
  profile.update = 0.5;
  const CostModel cost(Line{.a = 0.5, .b = 0x1p-10});
  const Schedule schedule = make_schedule(profile, MergePlan({1, 2}));
  VirtualClock clock;
  VirtualDevice device(clock);
  SlowlyRead network(profile, device, clock);
  StreamCommunicator communicator(device, clock, std::make_unique<VirtualStreamAllreduce>(device, cost));
  Trainer trainer(group, network, communicator, true);
  const Timeline predicted = predict(profile, schedule, cost);
  const std::vector<IterationRecord> records = trainer.run_block(schedule, 3);
  ASSERT_EQ(records.size(), 3U);
  for (const IterationRecord& record : records) {
    EXPECT_EQ(record.duration, predicted.iteration);
    EXPECT_EQ(record.timeline.iteration, predicted.iteration);
    ASSERT_EQ(record.timeline.messages.size(), 2U);
    EXPECT_EQ(record.timeline.messages[1].end, predicted.messages[1].end);
  }
}

}  // namespace
}  // namespace mgbench

// Under mpiexec: what --communicator auto measures and takes. No time is asserted: which is the best depends on the
// machine.
#include "bench/training/automatic_communicator.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "bench/communicator.h"
#include "bench/gpu/stream_communicator.h"
#include "bench/training/busy_network.h"
#include "bench/training/workload.h"
#include "support/summing_stream_allreduce.h"
#include "support/virtual_device_network.h"

namespace mgbench {
namespace {

class AutomaticCommunicator : public testing::Test {
 protected:
  std::unique_ptr<Network> tiny_network() {
    RunConfig config;
    config.model = "tiny";
    config.batch = 1;
    return Workload(config).make_network(group_, 1);
  }

  void expect_same_on_all_ranks(const std::string& text) {
    for (const std::string& other : group_.gather(text)) EXPECT_EQ(other, text);
  }

  void expect_sane(const CommunicatorChoice& choice) {
    std::vector<std::string> expected;
    for (const CommunicatorEntry& entry : communicators())
      if (!entry.emulates && entry.host && entry.unavailable().empty()) expected.push_back(entry.name);
    std::vector<std::string> names;
    for (const CommunicatorFigures& figures : choice.candidates) {
      names.push_back(figures.communicator);
      EXPECT_GT(figures.iteration.median, 0);
      EXPECT_GT(figures.alone, 0);
      EXPECT_GT(figures.exposed, 0);
      EXPECT_GE(figures.hidden, 0);
      EXPECT_LE(figures.hidden, 1);
      EXPECT_GT(figures.slowdown, 0);
    }
    EXPECT_EQ(names, expected);
    EXPECT_NE(std::find(names.begin(), names.end(), choice.chosen), names.end()) << choice.chosen;
    expect_same_on_all_ranks(choice.chosen);
    expect_same_on_all_ranks(choice.reason);
  }

  ProcessGroup group_{MPI_COMM_WORLD};
  Progress progress_{false};
};

TEST_F(AutomaticCommunicator, IsTheSameOnAllRanksByRealIterations) {
  const auto network = tiny_network();
  const CommunicatorChoice choice = choose_communicator(group_, *network, 1, {.budget = 20, .seed = 5}, progress_);
  expect_sane(choice);
  EXPECT_NE(choice.reason.find("under a probe schedule"), std::string::npos) << choice.reason;
}

TEST_F(AutomaticCommunicator, IsTheSameOnAllRanksWithoutANetwork) {
  const CommunicatorChoice choice = choose_communicator(group_, 1, {.budget = 0.3}, progress_);
  expect_sane(choice);
  EXPECT_NE(choice.reason.find("an allreduce of 4.0 MiB"), std::string::npos) << choice.reason;
}

TEST_F(AutomaticCommunicator, WithoutTimeMakesOneRound) {
  const CommunicatorChoice choice = choose_communicator(group_, 1, {.budget = 0}, progress_);
  expect_sane(choice);
  for (const CommunicatorFigures& figures : choice.candidates) EXPECT_EQ(figures.iteration.samples, 1U);
}

TEST_F(AutomaticCommunicator, SaysThatRealIterationsDoNotFit) {
  const auto network = tiny_network();
  const CommunicatorChoice choice = choose_communicator(group_, *network, 1, {.budget = 0}, progress_);
  expect_sane(choice);
  EXPECT_NE(choice.reason.find("real iterations would take"), std::string::npos) << choice.reason;
  EXPECT_EQ(network->save().iteration, 0U);
}

TEST_F(AutomaticCommunicator, PutsTheNetworksStateBack) {
  const auto network = tiny_network();
  const NetworkState before = network->save();
  choose_communicator(group_, *network, 1, {.budget = 20}, progress_);
  const NetworkState after = network->save();
  EXPECT_EQ(after.parameters, before.parameters);
  EXPECT_EQ(after.momentum, before.momentum);
  EXPECT_EQ(after.iteration, before.iteration);
}

TEST_F(AutomaticCommunicator, LeavesOutWhatOneRankCannotUse) {
  const bool usable = group_.rank() != group_.size() - 1;
  communicators().add({.name = "half-there",
                       .summary = "cannot be used on the last rank",
                       .unavailable = [=] { return std::string(usable ? "" : "no card"); },
                       .make = [](const CommunicatorRequest&) -> std::unique_ptr<Communicator> {
                         fail(ExitCode::bad_input, "made where it cannot be used");
                       }});
  const CommunicatorChoice choice = choose_communicator(group_, 1, {.budget = 0}, progress_);
  for (const CommunicatorFigures& figures : choice.candidates) EXPECT_NE(figures.communicator, "half-there");
}

/// On a device, as far as this machine has one: a stand-in that is registered for the test.
TEST_F(AutomaticCommunicator, TriesThoseThatFitTheNetworksMemoryOnly) {
  static VirtualDevice device(steady_clock());
  const auto make = [](const CommunicatorRequest& request) -> std::unique_ptr<Communicator> {
    EXPECT_EQ(request.device, &device);
    EXPECT_EQ(request.arena, 48);
    return std::make_unique<StreamCommunicator>(
        device, *request.clock,
        std::make_unique<SummingStreamAllreduce>(device, *request.group, [](Bytes) { return 1e-4; }));
  };
  const CommunicatorEntry fits{.name = "on-the-device",
                               .summary = "sums on the device",
                               .unavailable = [] { return std::string(); },
                               .make = make,
                               .host = false,
                               .device = true};
  communicators().add(fits);
  Profile profile{.model = "two", .update = 1e-4};
  for (const char* name : {"first", "second"})
    profile.steps.push_back({.name = name, .forward = 1e-4, .backward = 1e-4, .tensors = {{name, 24}}});
  VirtualDeviceNetwork network(profile, device);
  const CommunicatorChoice choice =
      choose_communicator(group_, network, 1, {.budget = 0, .device = &device}, progress_);
  EXPECT_EQ(choice.chosen, "on-the-device");
  for (const CommunicatorFigures& figures : choice.candidates)
    EXPECT_TRUE(communicators().find(figures.communicator).device) << figures.communicator;

  const CommunicatorChoice of_host = choose_communicator(group_, 1, {.budget = 0}, progress_);
  for (const CommunicatorFigures& figures : of_host.candidates) EXPECT_NE(figures.communicator, "on-the-device");
}

TEST(BusyNetwork, ComputesInStepsAndHasOneMessageOfZeros) {
  const auto network = make_busy_network({.gradients = 4000, .steps = 3, .threads = 2, .duration = 1e-4});
  ASSERT_EQ(network->steps(), 3U);
  const Schedule schedule = make_schedule(network->outline(), MergePlan({1}));
  ASSERT_EQ(schedule.size(), 1U);
  EXPECT_EQ(schedule[0].released_by, 2U);
  EXPECT_EQ(network->gradients(schedule[0].arena).count, 1000U);
  const Mark begin = network->mark();
  for (std::size_t step = 3; step-- > 0;) network->backward(step);
  EXPECT_GT(network->seconds(network->mark()), network->seconds(begin));
  EXPECT_EQ(network->plain_gradients(), std::vector<float>(1000));
}

TEST(BusyNetwork, RefusesWorkThatIsNone) {
  for (const BusyWork& work : {BusyWork{.duration = 1}, BusyWork{.gradients = 4}, BusyWork{.gradients = 4, .steps = 0},
                               BusyWork{.gradients = 4, .threads = 0, .duration = 1}})
    EXPECT_THROW(make_busy_network(work), Error);
}

}  // namespace
}  // namespace mgbench

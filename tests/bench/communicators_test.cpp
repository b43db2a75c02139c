// Under mpiexec: every communicator in every memory that it takes.
#include <gtest/gtest.h>

#include <random>
#include <thread>
#include <utility>

#include "support/communicator_case.h"

namespace mgbench {
namespace {

TEST_P(CommunicatorTest, SumsMessagesOfAnyCount) {
  const auto communicator = make();
  for (const std::size_t count :
       {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{1023}, std::size_t{65537}, kMost}) {
    GradientBuffer arena(arena_of(count));
    fill(arena, 0);
    communicator->prepare(1);
    start(*communicator, arena, 0, count);
    finish(*communicator);
    expect_sums(arena, 0);
  }
}

TEST_P(CommunicatorTest, SumsAnyGroupingOfOneArena) {
  const auto communicator = make();
  std::mt19937 random(7);
  GradientBuffer arena(arena_of(40000));
  for (int round = 0; round < 20; ++round) {
    const auto ends = random_ends(arena.count(), 1 + random() % 30, random);
    fill(arena, round);
    communicator->prepare(ends.size());
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
      communicator->poll();
      start(*communicator, arena, std::exchange(begin, end), end);
    }
    finish(*communicator);
    expect_sums(arena, round);
  }
}

TEST_P(CommunicatorTest, ManyIterationsShareOnePrepare) {
  const auto communicator = make();
  GradientBuffer arena(arena_of(100));
  communicator->prepare(200);
  for (int round = 0; round < 100; ++round) {
    fill(arena, round);
    start(*communicator, arena, 0, 33);
    start(*communicator, arena, 33, 100);
    finish(*communicator);
    expect_sums(arena, round);
  }
  EXPECT_EQ(communicator->spans().size(), 200U);
}

TEST_P(CommunicatorTest, WaitsForRanksThatArriveLate) {
  const auto communicator = make();
  GradientBuffer arena(arena_of(5000));
  for (int late = 0; late < group_.size(); ++late) {
    fill(arena, late);
    communicator->prepare(2);
    if (late == group_.rank()) {  // computes while the others wait
      volatile double work = 1;
      for (int i = 0; i < 2000000; ++i) work = work * 1.0000001;
    }
    start(*communicator, arena, 0, 1000);
    start(*communicator, arena, 1000, 5000);
    finish(*communicator);
    expect_sums(arena, late);
  }
}

TEST_P(CommunicatorTest, SpansFollowOneAnotherInTheOrderOfSubmission) {
  const auto communicator = make();
  GradientBuffer arena(arena_of(6400));
  communicator->prepare(64);
  const Seconds before = steady_clock().now();
  for (std::size_t i = 0; i < 64; ++i) start(*communicator, arena, i * 100, i * 100 + 100);
  finish(*communicator);
  const Seconds after = steady_clock().now();

  ASSERT_EQ(communicator->spans().size(), 64U);
  // A GPU's clock is held against the host's as well as other jobs let.
  const Seconds apart = GetParam().place == Place::gpu ? 0.1 : 0;
  Seconds previous_ready = before;
  Seconds previous_end = before;
  for (const MessageTimes& times : communicator->spans()) {
    EXPECT_GE(times.ready, previous_ready - apart);
    EXPECT_GE(times.start, std::max(times.ready, previous_end) - apart);
    EXPECT_GE(times.end, times.start - apart);
    previous_ready = times.ready;
    previous_end = times.end;
  }
  EXPECT_LE(previous_end, after + apart);
  communicator->prepare(1);
  EXPECT_TRUE(communicator->spans().empty());
}

TEST_P(CommunicatorTest, MessagesEndByPollingAlone) {
  if (device_ != nullptr) GTEST_SKIP() << "a device's times are known after its last message only";
  const auto communicator = make();
  GradientBuffer arena(arena_of(40000));
  fill(arena, 0);
  communicator->prepare(4);
  for (std::size_t i = 0; i < 4; ++i) start(*communicator, arena, i * 10000, i * 10000 + 10000);
  while (communicator->spans().size() < 4) {
    communicator->poll();
    std::this_thread::yield();
  }
  expect_sums(arena, 0);
  finish(*communicator);
}

TEST_P(CommunicatorTest, JoinWithoutMessagesReturns) {
  const auto communicator = make();
  communicator->prepare(0);
  finish(*communicator);
  EXPECT_TRUE(communicator->spans().empty());
  EXPECT_EQ(communicator->overruns(), 0U);
}

TEST_P(CommunicatorTest, RefusesWhatItWasNotPreparedFor) {
  const auto communicator = make();
  GradientBuffer arena(arena_of(2));
  communicator->prepare(1);
  start(*communicator, arena, 0, 1);
  EXPECT_THROW(start(*communicator, arena, 1, 2), Error);
  finish(*communicator);

  communicator->prepare(1);
  GradientView elsewhere = arena.part(0, 1);
  elsewhere.space = device_ == nullptr ? MemorySpace::device : MemorySpace::host;
  EXPECT_THROW(communicator->start({}, elsewhere, {}), Error);
  GradientView half = arena.part(0, 1);
  half.type = ElementType::float16;
  if (communicators().find(GetParam().communicator).halves) return;
  EXPECT_THROW(communicator->start({}, half, {}), Error);
}

/// Every communicator in every place that it takes. NCCL knows no device of the tests.
std::vector<Case> cases() {
  std::vector<Case> result;
  for (const CommunicatorEntry& entry : communicators()) {
    if (entry.host) result.push_back({entry.name, Place::host});
    if (entry.device) result.push_back({entry.name, Place::gpu});
    if (entry.device && !entry.library) result.push_back({entry.name, Place::virtual_device});
  }
  return result;
}

INSTANTIATE_TEST_SUITE_P(Registered, CommunicatorTest, testing::ValuesIn(cases()), test_name);

}  // namespace
}  // namespace mgbench

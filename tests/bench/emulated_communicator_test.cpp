// Under mpiexec: what the emulated communicator makes of time, and when it says that it could not.
#include <gtest/gtest.h>

#include <atomic>
#include <utility>

#include "support/communicator_case.h"

namespace mgbench {
namespace {

class EmulatedTest : public CommunicatorTest {};
INSTANTIATE_TEST_SUITE_P(Registered, EmulatedTest, testing::Values(Case{.communicator = "emulated"}), test_name);

TEST_P(EmulatedTest, NoMessageIsFasterThanTheEmulatedOne) {
  for (const bool moves_data : {false, true}) {
    const auto communicator = make(moves_data);
    EXPECT_EQ(communicator->moves_data(), moves_data);
    GradientBuffer arena(arena_of(100000));
    arena.write(0, std::vector<float>(arena.count(), 1.0F));
    const std::vector<std::size_t> ends{1, 500, 20000, 100000};
    communicator->prepare(ends.size());
    std::size_t begin = 0;
    for (const std::size_t end : ends) start(*communicator, arena, std::exchange(begin, end), end);
    finish(*communicator);

    ASSERT_EQ(communicator->spans().size(), ends.size());
    begin = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const auto bytes = static_cast<Bytes>((ends[i] - std::exchange(begin, ends[i])) * sizeof(float));
      const MessageTimes& times = communicator->spans()[i];
      EXPECT_GE(times.end, times.start + cost_.time(Collective::allreduce, bytes));
    }
    EXPECT_EQ(arena.read(arena.count() - 1, 1)[0], moves_data ? static_cast<float>(group_.size()) : 1.0F);
  }
}

TEST_P(EmulatedTest, HalvesTakeTheTimeOfTheirBytes) {
  CommunicatorRequest request{.group = &group_,
                              .clock = &steady_clock(),
                              .emulated_cost = &cost_,
                              .emulated_moves_data = true,
                              .device = &virtual_device_,
                              .type = ElementType::bfloat16,
                              .arena = 2000};
  const auto communicator = communicators().find(GetParam().communicator).make(request);
  GradientBuffer arena({.bytes = 2000, .type = request.type, .device = request.device});
  arena.write(0, std::vector<float>(1000, 1.0F));
  communicator->prepare(1);
  communicator->start({.arena = {0, 2000}}, arena.part(0, 1000), {});
  virtual_device_.synchronize(communicator->join());
  EXPECT_EQ(arena.read(0, 1000), std::vector<float>(1000, static_cast<float>(group_.size())));
  const MessageTimes& times = communicator->spans()[0];
  EXPECT_GE(times.end, times.start + cost_.time(Collective::allreduce, 2000));
}

TEST_P(EmulatedTest, RanksThatSendHalvesOfAnotherLengthAreFound) {
  if (group_.size() == 1) GTEST_SKIP() << "needs two ranks";
  const auto communicator =
      communicators()
          .find(GetParam().communicator)
          .make({.group = &group_, .clock = &steady_clock(), .emulated_cost = &cost_, .device = &virtual_device_});
  GradientBuffer arena({.bytes = 8, .type = ElementType::float16, .device = &virtual_device_});
  communicator->prepare(1);
  communicator->start({.arena = {0, 8}}, arena.part(0, group_.is_root() ? 3 : 4), {});
  try {
    communicator->join();
    ADD_FAILURE() << "join() did not throw";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "ranks submitted different messages: 6 to 8 bytes");
  }
}

/// Virtual time in which every sleep ends late by the same time. Both threads read it.
class LateClock final : public Clock {
 public:
  explicit LateClock(Seconds lateness) : lateness_(lateness) {}
  Seconds now() const override { return now_; }
  void sleep_until(Seconds time) override { now_ = std::max(now_.load(), time + lateness_); }

 private:
  const Seconds lateness_;
  std::atomic<Seconds> now_ = 0;
};

/// The same, and each reading takes a microsecond, so that one may wait awake.
class TickingLateClock final : public Clock {
 public:
  explicit TickingLateClock(Seconds lateness) : lateness_(lateness) {}
  Seconds now() const override { return 1e-6 * static_cast<double>(++ticks_); }
  void sleep_until(Seconds time) override {
    const auto wake = static_cast<std::int64_t>((time + lateness_) * 1e6);
    std::int64_t before = ticks_;
    while (before < wake && !ticks_.compare_exchange_weak(before, wake)) {
    }
  }

 private:
  const Seconds lateness_;
  mutable std::atomic<std::int64_t> ticks_ = 0;
};

TEST_P(EmulatedTest, LearnsHowLateAwakeningsAre) {
  constexpr Seconds kDuration = 1e-3;
  TickingLateClock clock(40e-6);
  const CostModel cost(Line{.a = kDuration, .b = 1e-15});
  const auto communicator =
      communicators().find(GetParam().communicator).make({.group = &group_, .clock = &clock, .emulated_cost = &cost});
  GradientBuffer arena(arena_of(1));
  constexpr std::size_t kMessages = 60;
  std::vector<Seconds> excess;
  for (std::size_t i = 0; i < kMessages; ++i) {
    communicator->prepare(1);
    start(*communicator, arena, 0, 1);
    finish(*communicator);
    const MessageTimes& times = communicator->spans()[0];
    excess.push_back(times.end - times.start - kDuration);
  }
  EXPECT_GE(excess.front(), 40e-6);
  for (std::size_t i = 0; i < kMessages; ++i) EXPECT_GE(excess[i], 0) << i;  // never too early
  // The main thread reads the clock, too.
  EXPECT_LE(*std::min_element(excess.end() - 10, excess.end()), 10e-6);
}

TEST_P(EmulatedTest, CountsMessagesThatWereOverslept) {
  const auto overruns = [&](Seconds duration, Seconds lateness) {
    LateClock clock(lateness);
    const CostModel cost(Line{.a = duration, .b = 1e-15});
    const auto communicator =
        communicators().find(GetParam().communicator).make({.group = &group_, .clock = &clock, .emulated_cost = &cost});
    GradientBuffer arena(arena_of(2));
    communicator->prepare(2);
    start(*communicator, arena, 0, 1);
    start(*communicator, arena, 1, 2);
    finish(*communicator);
    const std::size_t result = communicator->overruns();
    communicator->prepare(0);
    EXPECT_EQ(communicator->overruns(), 0U);
    return result;
  };
  // Short messages: 200 us. Long ones: 2 %.
  EXPECT_EQ(overruns(1e-3, 190e-6), 0U);
  EXPECT_EQ(overruns(1e-3, 210e-6), 2U);
  EXPECT_EQ(overruns(1, 19e-3), 0U);
  EXPECT_EQ(overruns(1, 21e-3), 2U);
}

TEST_P(EmulatedTest, NeedsACost) {
  try {
    communicators().find(GetParam().communicator).make({.group = &group_, .clock = &steady_clock()});
    FAIL() << "made without a cost";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("--interconnect"), std::string::npos) << error.what();
  }
}

TEST_P(EmulatedTest, JoinSaysWhenRanksSentDifferentMessages) {
  if (group_.size() == 1) GTEST_SKIP() << "needs two ranks";
  const auto communicator = make();
  GradientBuffer arena(arena_of(10));
  communicator->prepare(1);
  start(*communicator, arena, 0, group_.is_root() ? 3 : 4);
  try {
    finish(*communicator);
    ADD_FAILURE() << "join() did not throw";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "ranks submitted different messages: 12 to 16 bytes");
  }
}

}  // namespace
}  // namespace mgbench

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <ostream>
#include <random>
#include <thread>
#include <utility>

#include "bench/calibration/gradient_buffer.h"
#include "bench/communicator.h"
#include "bench/gpu/module.h"
#include "bench/gpu/own_stream.h"
#include "support/virtual_device.h"

namespace mgbench {
namespace {

/// Where gradients lie: in the host's memory, in that of this rank's GPU, or in that of a device of the tests.
enum class Place { host, gpu, virtual_device };

struct Case {
  std::string communicator;
  Place place = Place::host;
};

void PrintTo(const Case& value, std::ostream* stream) {
  *stream << value.communicator;
}

/// Why the ranks have no GPU each; empty when they have.
const std::string& gpu_obstacle(ProcessGroup& group) {
  static const std::string obstacle = [&] {
    if (!gpu_module().obstacle.empty()) return gpu_module().obstacle;
    try {
      gpu_module().claim_device(group);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  }();
  return obstacle;
}

/// Every registered communicator wherever it can be used here, at the job's number of ranks. Values are integers, so
/// that sums are exact in any order.
class CommunicatorTest : public testing::TestWithParam<Case> {
 protected:
  static constexpr std::size_t kMost = (1 << 20) + 1;  // elements of an arena

  void SetUp() override {
    const CommunicatorEntry& entry = communicators().find(GetParam().communicator);
    if (GetParam().place == Place::virtual_device) {
      device_ = &virtual_device_;
    } else if (const std::string reason = entry.unavailable(); !reason.empty()) {
      GTEST_SKIP() << reason;
    } else if (GetParam().place == Place::gpu) {
      if (const std::string& none = gpu_obstacle(group_); !none.empty()) GTEST_SKIP() << none;
      device_ = &gpu_module().device();
    }
    if (device_ != nullptr) stream_.emplace(*device_, false);
  }

  void TearDown() override { EXPECT_EQ(virtual_device_.races(), std::vector<std::string>()); }

  std::unique_ptr<Communicator> make(bool emulated_moves_data = true) {
    return communicators()
        .find(GetParam().communicator)
        .make({.group = &group_,
               .clock = &steady_clock(),
               .emulated_cost = &cost_,
               .emulated_moves_data = emulated_moves_data,
               .device = device_,
               .arena = static_cast<Bytes>(kMost * sizeof(float))});
  }

  GradientArena arena_of(std::size_t count) const {
    return {.bytes = static_cast<Bytes>(count * sizeof(float)), .device = device_};
  }

  /// Differs by rank, element and round.
  static float value_of(int rank, std::size_t element, int round) {
    return static_cast<float>((element * 7 + static_cast<std::size_t>(rank * 13 + round * 3)) % 101);
  }

  void fill(GradientBuffer& arena, int round) const {
    std::vector<float> values(arena.count());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = value_of(group_.rank(), i, round);
    arena.write(0, values);
  }

  void expect_sums(GradientBuffer& arena, int round) const {
    std::size_t wrong = 0;
    const std::vector<float> values = arena.read(0, arena.count());
    for (std::size_t i = 0; i < values.size(); ++i) {
      float sum = 0;
      for (int rank = 0; rank < group_.size(); ++rank) sum += value_of(rank, i, round);
      if (values[i] != sum) ++wrong;
    }
    EXPECT_EQ(wrong, 0U) << "of " << values.size() << " elements in round " << round;
  }

  void start(Communicator& communicator, const GradientBuffer& arena, std::size_t begin, std::size_t end) {
    const ByteRange range{static_cast<Bytes>(begin * sizeof(float)), static_cast<Bytes>(end * sizeof(float))};
    communicator.start({.arena = range}, arena.part(begin, end - begin),
                       device_ == nullptr ? Event{} : device_->record(*stream_));
  }

  void finish(Communicator& communicator) {
    const Event end = communicator.join();
    if (device_ != nullptr) device_->synchronize(end);
  }

  /// Cuts `elements` into at most `messages` pieces; equal on every rank.
  static std::vector<std::size_t> random_ends(std::size_t elements, std::size_t messages, std::mt19937& random) {
    std::vector<std::size_t> ends{elements};
    while (ends.size() < messages) ends.push_back(1 + random() % (elements - 1));
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    return ends;
  }

  ProcessGroup group_{MPI_COMM_WORLD};
  const CostModel cost_{Line{.a = 300e-6, .b = 1e-9}};
  VirtualDevice virtual_device_{steady_clock(), 5e-6, 1e-10};
  Device* device_ = nullptr;         ///< in whose memory arenas lie; null: in the host's
  std::optional<OwnStream> stream_;  ///< of what stands for computation
};

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

std::string test_name(const testing::TestParamInfo<Case>& information) {
  const char* const places[] = {"", "_gpu", "_virtual_device"};
  std::string name = information.param.communicator + places[static_cast<int>(information.param.place)];
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Registered, CommunicatorTest, testing::ValuesIn(cases()), test_name);

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

// Under mpiexec: gradients of a device's memory through the host's, on a device in virtual time whose memory is the
// host's: what is summed, when, and what would race.
#include "bench/communicators/staged_carrier.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "bench/calibration/gradient_buffer.h"
#include "bench/communicators/awaiting_carrier.h"
#include "bench/communicators/background_communicator.h"
#include "bench/communicators/blocking_carrier.h"
#include "bench/communicators/nonblocking_carrier.h"
#include "bench/training/train_step.h"
#include "support/random_case.h"
#include "support/virtual_clock.h"
#include "support/virtual_device_network.h"

namespace mgbench {
namespace {

constexpr Seconds kCopy = 1e-3;

/// Tells the device which memory another carrier sums.
class Seen final : public Carrier {
 public:
  Seen(VirtualDevice& device, std::unique_ptr<Carrier> sums) : device_(device), sums_(std::move(sums)) {}
  MemorySpace space() const override { return sums_->space(); }
  void carry(const GradientView& gradients, MessageTimes& times) override {
    const Access access{gradients.data, static_cast<Bytes>(gradients.count) * size_of(gradients.type), true};
    device_.touch("MPI", {access});
    sums_->carry(gradients, times);
    device_.touch("MPI", {access});
  }

 private:
  VirtualDevice& device_;
  std::unique_ptr<Carrier> sums_;
};

/// Sums in a thread of its own, of which nobody is told that it has ended.
class Unfinished final : public Carrier {
 public:
  explicit Unfinished(std::unique_ptr<Carrier> sums) : sums_(std::move(sums)) {}
  void carry(const GradientView& gradients, MessageTimes& times) override {
    std::thread([&] { sums_->carry(gradients, times); }).join();
  }

 private:
  std::unique_ptr<Carrier> sums_;
};

/// A device for which nobody waits.
class Hasty final : public Device {
 public:
  explicit Hasty(Device& device) : device_(device) {}
  Stream make_stream(bool urgent) override { return device_.make_stream(urgent); }
  Event record(Stream stream) override { return device_.record(stream); }
  void wait(Stream stream, const Event& event) override { device_.wait(stream, event); }
  void synchronize(const Event&) override {}
  Seconds seconds(const Event& event) const override { return device_.seconds(event); }
  std::unique_ptr<Graph> capture(Stream stream, const std::function<void()>& enqueue) override {
    return device_.capture(stream, enqueue);
  }
  std::shared_ptr<void> allocate(Bytes bytes) override { return device_.allocate(bytes); }
  std::shared_ptr<void> allocate_host(Bytes bytes) override { return device_.allocate_host(bytes); }
  void copy(Stream stream, void* to, const void* from, Bytes bytes) override { device_.copy(stream, to, from, bytes); }
  std::shared_ptr<void> watch(std::function<void()> health) override { return device_.watch(std::move(health)); }

 private:
  Device& device_;
};

class Staged : public testing::Test {
 protected:
  std::unique_ptr<Carrier> mpi() {
    return std::make_unique<Seen>(device_, std::make_unique<NonblockingCarrier>(group_, clock_));
  }
  BackgroundCommunicator staged(Device& device, Bytes arena, ElementType type, std::unique_ptr<Carrier> sums) {
    return {clock_, std::make_unique<StagedCarrier>(device, arena, type, std::move(sums))};
  }
  BackgroundCommunicator staged(Bytes arena, ElementType type = ElementType::float32) {
    return staged(device_, arena, type, mpi());
  }
  BackgroundCommunicator direct() {
    return {clock_,
            std::make_unique<AwaitingCarrier>(
                device_, clock_,
                std::make_unique<Seen>(device_, std::make_unique<BlockingCarrier>(group_, MemorySpace::device)))};
  }

  std::vector<std::string> races() const { return device_.races(); }

  ProcessGroup group_{MPI_COMM_WORLD};
  VirtualClock clock_;
  VirtualDevice device_{clock_, kCopy};
};

TEST_F(Staged, TrainingDoesNotRace) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    RandomCase random(seed);
    const Profile profile = random.profile();
    const Schedule schedule = make_schedule(profile, random.plan(ready_tensors(profile).size()));
    VirtualDeviceNetwork network(profile, device_);
    BackgroundCommunicator communicator = staged(profile.bytes());
    IterationMarks marks(network.steps());
    for (int iteration = 0; iteration < 3; ++iteration) {
      communicator.prepare(schedule.size());
      train_step(network, communicator, schedule, marks);
      EXPECT_EQ(communicator.spans().size(), schedule.size());
    }
    ASSERT_EQ(races(), std::vector<std::string>()) << seed;
  }
}

/// Halves hold whole numbers up to 256.
TEST_F(Staged, SumsEveryType) {
  for (const ElementType type : {ElementType::float32, ElementType::float16, ElementType::bfloat16}) {
    SCOPED_TRACE(name_of(type));
    constexpr std::size_t kCount = 5000;
    const Bytes bytes = static_cast<Bytes>(kCount) * size_of(type);
    GradientBuffer arena({.bytes = bytes, .type = type, .device = &device_});
    std::vector<float> values(kCount);
    for (std::size_t i = 0; i < kCount; ++i) values[i] = static_cast<float>(i % 13) * 0.5F + 1 + group_.rank();
    arena.write(0, values);
    BackgroundCommunicator communicator = staged(bytes, type);
    communicator.prepare(2);
    const auto middle = Bytes{4};
    communicator.start({.arena = {0, middle}}, arena.part(0, static_cast<std::size_t>(middle / size_of(type))), {});
    const auto rest = static_cast<std::size_t>(middle / size_of(type));
    communicator.start({.arena = {middle, bytes}}, arena.part(rest, kCount - rest), {});
    device_.synchronize(communicator.join());
    const std::vector<float> sums = arena.read(0, kCount);
    for (std::size_t i = 0; i < kCount; ++i) {
      float expected = 0;
      for (int rank = 0; rank < group_.size(); ++rank) expected += static_cast<float>(i % 13) * 0.5F + 1 + rank;
      ASSERT_EQ(sums[i], expected) << i;
    }
  }
}

/// Two messages of a network that has computed for 1 s and 2 s: each is copied down when it is ready, and up after MPI,
/// for which no virtual time passes.
TEST_F(Staged, SpansAreTheDevicesTimes) {
  const Stream computing = device_.make_stream(false);
  GradientBuffer arena({.bytes = 8, .device = &device_});
  const Seconds begin = clock_.now();
  BackgroundCommunicator communicator = staged(8);
  communicator.prepare(2);
  device_.run(computing, "first", 1, {});
  const Event first = device_.record(computing);
  device_.run(computing, "second", 0.5 * kCopy, {});
  const Event second = device_.record(computing);
  communicator.start({.arena = {0, 4}}, arena.part(0, 1), first);
  communicator.start({.arena = {4, 8}}, arena.part(1, 1), second);
  device_.synchronize(communicator.join());
  const auto spans = communicator.spans();
  ASSERT_EQ(spans.size(), 2U);
  EXPECT_DOUBLE_EQ(spans[0].ready, begin + 1);
  EXPECT_DOUBLE_EQ(spans[0].start, begin + 1);
  EXPECT_DOUBLE_EQ(spans[0].end, begin + 1 + 2 * kCopy);
  EXPECT_DOUBLE_EQ(spans[1].ready, begin + 1 + 0.5 * kCopy);
  EXPECT_DOUBLE_EQ(spans[1].start, spans[0].end);  // its copy down ran beside the other's copy up
  EXPECT_DOUBLE_EQ(spans[1].end, begin + 1 + 3 * kCopy);
}

TEST_F(Staged, RefusesWhatItHasNoRoomFor) {
  GradientBuffer arena({.bytes = 8, .device = &device_});
  BackgroundCommunicator communicator = staged(4);
  communicator.prepare(1);
  EXPECT_THROW(communicator.start({.arena = {4, 8}}, arena.part(1, 1), {}), Error);
  communicator.start({.arena = {0, 4}}, arena.part(0, 1), {});
  device_.synchronize(communicator.join());
}

/// One step whose gradients are one message. What is planted must be found, or the silence above says nothing.
class StagedRace : public Staged {
 protected:
  void start(Communicator& communicator, const Event& ready) {
    communicator.start(message_, network_.gradients(message_.arena), ready);
  }
  void expect_race(const std::string& race) const {
    const std::vector<std::string> found = races();
    EXPECT_NE(std::find(found.begin(), found.end(), race), found.end()) << race << " among " << found.size();
  }

  const Profile profile_{.model = "one",
                         .steps = {{.name = "step", .forward = 1, .backward = 1, .tensors = {{"weight", 4}}}},
                         .update = 1};
  const Message message_{.arena = {0, 4}};
  VirtualDeviceNetwork network_{profile_, device_};
};

TEST_F(StagedRace, CopyDownBeforeTheGradients) {
  BackgroundCommunicator communicator = staged(4);
  communicator.prepare(1);
  const Event too_early = network_.record();
  network_.backward(0);
  start(communicator, too_early);
  communicator.join();
  expect_race("backward / copy");
}

TEST_F(StagedRace, UpdateBeforeTheCopyUp) {
  BackgroundCommunicator communicator = staged(4);
  communicator.prepare(1);
  network_.backward(0);
  start(communicator, network_.record());
  communicator.join();
  network_.update();
  expect_race("copy / update");
}

TEST_F(StagedRace, MpiBeforeTheCopyDown) {
  Hasty hasty(device_);
  BackgroundCommunicator communicator = staged(hasty, 4, ElementType::float32, mpi());
  communicator.prepare(1);
  network_.backward(0);
  start(communicator, network_.record());
  communicator.join();
  expect_race("copy / MPI");
}

TEST_F(StagedRace, CopyUpBeforeMpiHasSummed) {
  BackgroundCommunicator communicator = staged(device_, 4, ElementType::float32, std::make_unique<Unfinished>(mpi()));
  communicator.prepare(1);
  network_.backward(0);
  start(communicator, network_.record());
  communicator.join();
  expect_race("MPI / copy");
}

TEST_F(StagedRace, MirrorOverwrittenWhileItIsSent) {
  BackgroundCommunicator communicator = staged(4);
  communicator.prepare(2);
  network_.backward(0);
  const Event ready = network_.record();
  start(communicator, ready);
  start(communicator, ready);
  communicator.join();
  const std::vector<std::string> found = races();  // the second copy down may come before MPI or after
  EXPECT_TRUE(std::find(found.begin(), found.end(), "MPI / copy") != found.end() ||
              std::find(found.begin(), found.end(), "copy / MPI") != found.end())
      << found.size();
}

TEST_F(StagedRace, MpiOnTheDeviceWaitsForTheGradients) {
  for (const bool waits : {true, false}) {
    BackgroundCommunicator communicator = direct();
    communicator.prepare(1);
    network_.backward(0);
    start(communicator, waits ? network_.record() : Event{});
    communicator.join();
    device_.meet_threads();  // that is what join() has done
    network_.update();
    EXPECT_EQ(races(), waits ? std::vector<std::string>() : std::vector<std::string>{"backward / MPI"});
  }
}

TEST_F(StagedRace, MpiOnTheDeviceTellsWhenGradientsWereReady) {
  BackgroundCommunicator communicator = direct();
  communicator.prepare(1);
  network_.backward(0);
  start(communicator, network_.record());
  communicator.join();
  EXPECT_EQ(communicator.spans()[0].ready, 1);
  EXPECT_EQ(communicator.spans()[0].start, 1);
}

}  // namespace
}  // namespace mgbench

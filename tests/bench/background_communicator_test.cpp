#include "bench/communicators/background_communicator.h"

#include <gtest/gtest.h>

#include <semaphore>
#include <utility>

namespace mgbench {
namespace {

/// Records what it is given; fails at one message if told to.
class RecordingCarrier final : public Carrier {
 public:
  RecordingCarrier(std::vector<GradientView>& carried, std::size_t failing) : carried_(carried), failing_(failing) {}

  void carry(const GradientView& gradients, MessageTimes&) override {
    if (carried_.size() == failing_) fail(ExitCode::not_measured, "message {} was lost", failing_);
    carried_.push_back(gradients);
  }

 private:
  std::vector<GradientView>& carried_;
  std::size_t failing_;
};

constexpr std::size_t kNever = SIZE_MAX;

TEST(BackgroundCommunicator, CarriesEachMessageOnceInTheOrderOfSubmission) {
  std::vector<GradientView> carried;
  BackgroundCommunicator communicator(steady_clock(), std::make_unique<RecordingCarrier>(carried, kNever));
  std::vector<float> arena(1000);
  for (int round = 0; round < 50; ++round) {
    carried.clear();
    communicator.prepare(arena.size());
    for (std::size_t i = 0; i < arena.size(); ++i)
      communicator.start({}, {.data = arena.data() + i, .count = 1 + i % 3}, {});
    communicator.join();
    ASSERT_EQ(carried.size(), arena.size());
    for (std::size_t i = 0; i < arena.size(); ++i) {
      ASSERT_EQ(carried[i].data, arena.data() + i);
      ASSERT_EQ(carried[i].count, 1 + i % 3);
    }
  }
}

TEST(BackgroundCommunicator, EveryJoinRethrowsWhatFailed) {
  std::vector<GradientView> carried;
  BackgroundCommunicator communicator(steady_clock(), std::make_unique<RecordingCarrier>(carried, 2));
  std::vector<float> arena(5);
  for (int round = 0; round < 2; ++round) {
    communicator.prepare(arena.size());
    for (float& value : arena) communicator.start({}, {.data = &value, .count = 1}, {});
    try {
      communicator.join();
      FAIL() << "join() did not throw";
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "message 2 was lost");
      EXPECT_EQ(error.exit_code(), ExitCode::not_measured);
    }
    EXPECT_EQ(carried.size(), 2U);  // nothing is sent after a failure
  }
}

/// Holds each message until it is released.
struct Gate {
  std::binary_semaphore entered{0};
  std::binary_semaphore released{0};
};

class GatedCarrier final : public Carrier {
 public:
  explicit GatedCarrier(std::shared_ptr<Gate> gate) : gate_(std::move(gate)) {}
  void carry(const GradientView&, MessageTimes&) override {
    gate_->entered.release();
    gate_->released.acquire();
  }

 private:
  std::shared_ptr<Gate> gate_;
};

TEST(BackgroundCommunicator, StartReturnsWhileAMessageIsInFlightAndJoinWaitsForIt) {
  const auto gate = std::make_shared<Gate>();
  BackgroundCommunicator communicator(steady_clock(), std::make_unique<GatedCarrier>(gate));
  float value = 0;
  communicator.prepare(2);
  communicator.start({}, {.data = &value, .count = 1}, {});
  gate->entered.acquire();
  communicator.start({}, {.data = &value, .count = 1}, {});
  EXPECT_TRUE(communicator.spans().empty());
  EXPECT_THROW(communicator.prepare(1), Error);
  gate->released.release();
  gate->entered.acquire();
  EXPECT_EQ(communicator.spans().size(), 1U);
  gate->released.release();
  communicator.join();
  EXPECT_EQ(communicator.spans().size(), 2U);
}

TEST(BackgroundCommunicator, DestructionDoesNotWaitForAMessageThatNeverEnds) {
  const auto gate = std::make_shared<Gate>();
  static float value = 0;
  {
    BackgroundCommunicator communicator(steady_clock(), std::make_unique<GatedCarrier>(gate));
    communicator.prepare(1);
    communicator.start({}, {.data = &value, .count = 1}, {});
    gate->entered.acquire();
  }
  gate->released.release();
}

}  // namespace
}  // namespace mgbench

#include "bench/gpu/stream_communicator.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

#include "base/error.h"
#include "support/virtual_clock.h"
#include "support/virtual_device.h"

namespace mgbench {
namespace {

/// What became of sums.
struct Fate {
  bool broken = false;  ///< they will not end
  int asked = 0;        ///< for their health
  bool ended = false;
};

/// Sums nothing, in a second.
class RecordingAllreduce final : public StreamAllreduce {
 public:
  RecordingAllreduce(VirtualDevice& device, Fate& fate) : device_(device), fate_(fate) {}
  ~RecordingAllreduce() override { fate_.ended = true; }
  void enqueue(Stream stream, const GradientView&) override { device_.run(stream, "allreduce", 1, {}); }
  void health() override {
    ++fate_.asked;
    if (fate_.broken) fail(ExitCode::not_measured, "a rank is gone");
  }

 private:
  VirtualDevice& device_;
  Fate& fate_;
};

class StreamCommunicating : public testing::Test {
 protected:
  std::unique_ptr<StreamCommunicator> make() {
    return std::make_unique<StreamCommunicator>(device_, clock_, std::make_unique<RecordingAllreduce>(device_, fate_));
  }
  GradientView view() { return {.data = &value_, .count = 1, .space = MemorySpace::device}; }

  VirtualClock clock_;
  VirtualDevice device_{clock_};
  Fate fate_;
  float value_ = 0;
};

TEST_F(StreamCommunicating, NeitherStartNorJoinWait) {
  const auto communicator = make();
  const Stream computing = device_.make_stream(false);
  device_.run(computing, "backward", 5, {});
  communicator->prepare(2);
  communicator->start({}, view(), device_.record(computing));
  communicator->start({}, view(), device_.record(computing));
  const Event end = communicator->join();
  EXPECT_EQ(clock_.now(), 0);
  EXPECT_THROW(communicator->spans(), Error) << "not reached yet";
  device_.synchronize(end);
  EXPECT_EQ(clock_.now(), 7);
  const auto spans = communicator->spans();
  ASSERT_EQ(spans.size(), 2U);
  EXPECT_EQ(spans[1].ready, 5);
  EXPECT_EQ(spans[1].start, 6);
  EXPECT_EQ(spans[1].end, 7);
}

TEST_F(StreamCommunicating, WithoutAnEventAMessageIsReadyWhenItIsSubmitted) {
  const auto communicator = make();
  clock_.sleep_until(3);
  communicator->prepare(1);
  communicator->start({}, view(), {});
  device_.synchronize(communicator->join());
  EXPECT_EQ(communicator->spans()[0].ready, 3);
  EXPECT_EQ(communicator->spans()[0].end, 4);
}

TEST_F(StreamCommunicating, HealthIsAskedForWhileItLives) {
  auto communicator = make();
  const Event nothing{};
  device_.synchronize(nothing);
  EXPECT_EQ(fate_.asked, 1);
  fate_.broken = true;
  EXPECT_THROW(device_.synchronize(nothing), Error);
  fate_.broken = false;
  communicator.reset();
  EXPECT_TRUE(fate_.ended);
  const int asked = fate_.asked;
  device_.synchronize(nothing);
  EXPECT_EQ(fate_.asked, asked);
}

TEST_F(StreamCommunicating, EndsOnceItsMessagesHave) {
  auto communicator = make();
  communicator->prepare(1);
  communicator->start({}, view(), {});
  communicator.reset();
  EXPECT_EQ(clock_.now(), 1);
  EXPECT_TRUE(fate_.ended);
}

TEST_F(StreamCommunicating, AnExceptionDoesNotWaitForMessages) {
  try {
    const auto communicator = make();
    communicator->prepare(1);
    communicator->start({}, view(), {});
    throw std::runtime_error("elsewhere");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(clock_.now(), 0);
  EXPECT_EQ(fate_.asked, 0);
  EXPECT_TRUE(fate_.ended) << "it gives up what is in flight itself";
}

TEST_F(StreamCommunicating, WhatFailsIsLeftBehind) {
  static Fate fate;  // what is left behind refers to it
  auto communicator =
      std::make_unique<StreamCommunicator>(device_, clock_, std::make_unique<RecordingAllreduce>(device_, fate));
  communicator->prepare(1);
  communicator->start({}, view(), {});
  fate.broken = true;
  communicator.reset();
  EXPECT_FALSE(fate.ended);
}

}  // namespace
}  // namespace mgbench

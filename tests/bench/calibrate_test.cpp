// Under mpiexec: the sweep over sizes, with allreduces whose times are known.
#include "bench/calibration/calibrate.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <random>
#include <set>

#include "base/error.h"
#include "bench/gpu/stream_communicator.h"
#include "bench/mpi/process_group.h"
#include "support/summing_stream_allreduce.h"
#include "support/virtual_clock.h"

namespace mgbench {
namespace {

/// Sums for real, and tells the time that it is told to.
class TimedBy : public TimedAllreduce {
 public:
  TimedBy(ProcessGroup& group, std::function<Seconds(Bytes)> time) : group_(group), time_(std::move(time)) {}
  Seconds operator()(const GradientView& view) override {
    const std::span data(static_cast<float*>(view.data), view.count);
    MPI_Allreduce(MPI_IN_PLACE, data.data(), static_cast<int>(data.size()), MPI_FLOAT, MPI_SUM, group_.handle());
    return time_(static_cast<Bytes>(data.size_bytes()));
  }

 private:
  ProcessGroup& group_;
  std::function<Seconds(Bytes)> time_;
};

class Calibrating : public testing::Test {
 protected:
  MeasuredCurve measure(TimedAllreduce& allreduce, Bytes largest = Bytes{1} << 20) {
    return measure_curve(group_, allreduce,
                         {.name = "library", .communicator = "test", .arena = {.bytes = largest}, .budget = 20},
                         progress_);
  }

  ProcessGroup group_{MPI_COMM_WORLD};
  Progress progress_{false};
};

TEST_F(Calibrating, RecoversALineFromTheSlowestRank) {
  const Line truth{5e-4, 2e-9};
  TimedBy allreduce(group_, [&](Bytes bytes) { return truth.time(bytes) * (group_.rank() + 1) / group_.size(); });
  const MeasuredCurve measured = measure(allreduce);
  EXPECT_EQ(measured.left_out_above, 0);
  EXPECT_EQ(measured.curve.points.front().bytes, 4);
  EXPECT_EQ(measured.curve.points.back().bytes, Bytes{1} << 20);
  EXPECT_NEAR(measured.curve.fit.line.a / truth.a, 1, 1e-6);
  EXPECT_NEAR(measured.curve.fit.line.b / truth.b, 1, 1e-6);
}

TEST_F(Calibrating, RareSpikesDoNotMoveTheLineAndAreCounted) {
  // One call a sample, and sixty.
  for (const Line truth : {Line{5e-4, 2e-9}, Line{5e-6, 2e-9}}) {
    std::mt19937_64 random(11);
    TimedBy allreduce(group_, [&](Bytes bytes) { return truth.time(bytes) * (random() % 100 == 0 ? 100 : 1); });
    const CalibrationCurve curve = measure(allreduce).curve;
    EXPECT_NEAR(curve.fit.line.a / truth.a, 1, 0.02);
    EXPECT_NEAR(curve.fit.line.b / truth.b, 1, 0.02);
    EXPECT_GT(curve.spikes, 0);
    EXPECT_LT(curve.spikes, curve.calls / 20);
  }
}

/// The first call of a size touches its memory, and the first ones after another size find strangers in the caches.
class Remembering : public TimedAllreduce {
 public:
  Remembering(ProcessGroup& group, Line truth) : group_(group), truth_(truth) {}
  Seconds operator()(const GradientView& view) override {
    const std::span data(static_cast<float*>(view.data), view.count);
    MPI_Allreduce(MPI_IN_PLACE, data.data(), static_cast<int>(data.size()), MPI_FLOAT, MPI_SUM, group_.handle());
    const auto bytes = static_cast<Bytes>(data.size_bytes());
    calls_in_a_row_ = bytes == last_ ? calls_in_a_row_ + 1 : 0;
    last_ = bytes;
    const Seconds truth = truth_.time(bytes);
    const bool cold = static_cast<double>(calls_in_a_row_) * truth < 50e-6;
    return truth + (touched_.insert(bytes).second ? 5e-3 : 0) + (cold ? 3 * truth : 0);
  }

 private:
  ProcessGroup& group_;
  Line truth_;
  std::set<Bytes> touched_;
  Bytes last_ = 0;
  int calls_in_a_row_ = 0;
};

TEST_F(Calibrating, EndsWhatMoreSamplesWouldNotMakeCertain) {
  // Half of the calls take twice as long: no number of samples brings their median's interval to 2 %. The others are
  // certain at once.
  const Line truth{1e-3, 1e-9};
  const Bytes uncertain = 4096;
  std::mt19937_64 random(5);
  TimedBy allreduce(group_,
                    [&](Bytes bytes) { return truth.time(bytes) * (bytes == uncertain && random() % 2 == 0 ? 2 : 1); });
  for (const CalibrationPoint& point : measure(allreduce).curve.points)
    EXPECT_EQ(point.samples, point.bytes == uncertain ? 50U : 6U) << point.bytes;
}

TEST_F(Calibrating, GoesOnWhereMoreSamplesWillDo) {
  // Spread evenly over 10 %: about a hundred samples make the median certain to 2 %.
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> factor(0.9, 1.1);
  TimedBy allreduce(group_, [&](Bytes) { return 1e-3 * factor(random); });
  for (const CalibrationPoint& point : measure(allreduce, 4096).curve.points) {
    const double half = (point.interval->high - point.interval->low) / 2 / point.seconds;
    EXPECT_LE(half, 0.02) << point.bytes << ' ' << point.samples;
  }
}

TEST_F(Calibrating, WhatCameBeforeASampleDoesNotShowInIt) {
  const Line truth{2e-6, 2e-9};
  Remembering allreduce(group_, truth);
  for (const CalibrationPoint& point : measure(allreduce).curve.points)
    EXPECT_NEAR(point.seconds / truth.time(point.bytes), 1, 1e-9) << point.bytes;
}

TEST(PlanSamples, WarmsUpWhatIsShort) {
  for (const Seconds call : {1e-9, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2}) {
    EXPECT_GE(plan_samples(call).unmeasured, 1) << call;
    EXPECT_LE(plan_samples(call).unmeasured, plan_samples(call).measured) << call;
  }
  EXPECT_EQ(plan_samples(1e-6).measured, 200);
  EXPECT_EQ(plan_samples(9e-6).measured, 33);
  EXPECT_EQ(plan_samples(9e-6).unmeasured, 11);
  EXPECT_EQ(plan_samples(1).measured, 1);
  EXPECT_EQ(plan_samples(1).unmeasured, 0);
}

TEST_F(Calibrating, InterruptionsDoNotMakeAShortAllreduceALongOne) {
  // The first call sets connections up, and another process takes the core in one call of three of those after it.
  int call = 0;
  TimedBy allreduce(group_, [&](Bytes) { return ++call == 1 ? 1.0 : (call < 20 && call % 3 == 0 ? 8e-3 : 1e-6); });
  AllreduceCalls calls(group_, {.bytes = 4});
  const SamplePlan plan = calls.plan(allreduce, 4);
  EXPECT_EQ(plan.call, 1e-6);
  EXPECT_EQ(plan.measured, 200);
}

TEST_F(Calibrating, LeavesOutSizesThatWouldTakeLongerThanTheBudget) {
  TimedBy allreduce(group_, [](Bytes bytes) { return bytes < 4096 ? 1e-3 : 10.0; });
  const MeasuredCurve measured = measure(allreduce);
  EXPECT_GE(measured.left_out_above, 2048);
  EXPECT_LE(measured.left_out_above, 8192);
  EXPECT_EQ(measured.curve.points.back().bytes, measured.left_out_above);
}

TEST_F(Calibrating, ABudgetThatIsSpentAtOnceStillGivesALine) {
  TimedBy allreduce(group_, [](Bytes bytes) { return Line{5e-4, 2e-9}.time(bytes); });
  const MeasuredCurve measured = measure_curve(
      group_, allreduce,
      {.name = "library", .communicator = "test", .arena = {.bytes = Bytes{1} << 20}, .budget = 1e-9}, progress_);
  EXPECT_GE(measured.curve.points.size(), 3U);
  EXPECT_GT(measured.left_out_above, 0);
  for (const CalibrationPoint& point : measured.curve.points) EXPECT_TRUE(point.interval) << point.bytes;
}

TEST_F(Calibrating, BudgetsThatDifferBetweenRanksAreTheShortest) {
  TimedBy allreduce(group_, [](Bytes bytes) { return Line{5e-4, 2e-9}.time(bytes); });
  const bool last = group_.rank() == group_.size() - 1;
  const MeasuredCurve measured = measure_curve(
      group_, allreduce,
      {.name = "library", .communicator = "test", .arena = {.bytes = Bytes{1} << 20}, .budget = last ? 1e-9 : 20},
      progress_);
  EXPECT_EQ(measured.curve.points.size(), 3U);
}

/// Forgets the last element where it should sum several.
class Forgetful : public TimedAllreduce {
 public:
  explicit Forgetful(ProcessGroup& group) : group_(group) {}
  Seconds operator()(const GradientView& view) override {
    const std::span data(static_cast<float*>(view.data), view.count);
    const std::size_t count = data.size() - (data.size() > 1 ? 1 : 0);
    MPI_Allreduce(MPI_IN_PLACE, data.data(), static_cast<int>(count), MPI_FLOAT, MPI_SUM, group_.handle());
    return 1e-6;
  }

 private:
  ProcessGroup& group_;
};

TEST_F(Calibrating, AWrongSumIsFound) {
  if (group_.size() == 1) GTEST_SKIP() << "one rank sums nothing";
  Forgetful allreduce(group_);
  EXPECT_THROW(measure(allreduce), Error);
}

TEST_F(Calibrating, TheLibraryAndTheEngineSumRight) {
  const auto communicator = communicators().find("mpi-async").make({.group = &group_, .clock = &steady_clock()});
  const auto library = library_allreduce(group_);
  const auto engine = engine_allreduce(*communicator);
  for (TimedAllreduce* allreduce : {library.get(), engine.get()}) {
    std::vector<float> data(1001, static_cast<float>(group_.rank() + 1));
    EXPECT_GT((*allreduce)({.data = data.data(), .count = data.size()}), 0);
    for (const float value : data) ASSERT_EQ(value, static_cast<float>(group_.size() * (group_.size() + 1) / 2));
  }
}

/// Data in the memory of a device in virtual time.
class CalibratingADevice : public Calibrating {
 protected:
  std::unique_ptr<StreamAllreduce> summing() {
    return std::make_unique<SummingStreamAllreduce>(device_, group_,
                                                    [this](Bytes bytes) { return truth_.time(bytes); });
  }
  MeasuredCurve measure_engine(Communicator& communicator, ElementType type) {
    const auto engine = engine_allreduce(communicator, &device_);
    return measure_curve(group_, *engine,
                         {.name = "engine",
                          .communicator = "test",
                          .arena = {.bytes = Bytes{1} << 16, .type = type, .device = &device_},
                          .budget = 20},
                         progress_);
  }

  const Line truth_{5e-4, 2e-9};
  VirtualClock clock_;
  VirtualDevice device_{clock_};
};

TEST_F(CalibratingADevice, TimesAreTheDevices) {
  for (const ElementType type : {ElementType::float32, ElementType::float16, ElementType::bfloat16}) {
    StreamCommunicator communicator(device_, clock_, summing());
    const MeasuredCurve measured = measure_engine(communicator, type);
    EXPECT_EQ(measured.curve.points.front().bytes, 4);
    EXPECT_EQ(measured.curve.points.back().bytes, Bytes{1} << 16);
    for (const CalibrationPoint& point : measured.curve.points)
      EXPECT_NEAR(point.seconds / truth_.time(point.bytes), 1, 1e-6) << point.bytes;
  }
  EXPECT_EQ(device_.races(), std::vector<std::string>());
}

TEST_F(CalibratingADevice, AWrongSumIsFoundInEveryType) {
  if (group_.size() == 1) GTEST_SKIP() << "one rank sums nothing";
  /// Sums what is alone in its message: of that, some ranks could not tell.
  class Lazy final : public StreamAllreduce {
   public:
    explicit Lazy(std::unique_ptr<StreamAllreduce> summing) : summing_(std::move(summing)) {}
    void enqueue(Stream stream, const GradientView& gradients) override {
      if (static_cast<Bytes>(gradients.count) * size_of(gradients.type) == 4) summing_->enqueue(stream, gradients);
    }
    void health() override {}

   private:
    std::unique_ptr<StreamAllreduce> summing_;
  };
  for (const ElementType type : {ElementType::float32, ElementType::float16, ElementType::bfloat16}) {
    StreamCommunicator communicator(device_, clock_, std::make_unique<Lazy>(summing()));
    EXPECT_THROW(measure_engine(communicator, type), Error) << name_of(type);
  }
}

TEST_F(CalibratingADevice, TheLibrarysCallWaitsForTheDevice) {
  const auto library = library_allreduce(device_, summing());
  GradientBuffer buffer({.bytes = 4000, .device = &device_});
  buffer.write(0, std::vector<float>(1000, static_cast<float>(group_.rank() + 1)));
  const Seconds before = clock_.now();
  EXPECT_GT((*library)(buffer.part(0, 1000)), 0);
  EXPECT_NEAR(clock_.now(), before + truth_.time(4000), 1e-12);
  for (const float value : buffer.read(0, 1000))
    ASSERT_EQ(value, static_cast<float>(group_.size() * (group_.size() + 1) / 2));
}

TEST(GradientBuffers, HoldWhatIsWrittenToThem) {
  VirtualClock clock;
  VirtualDevice device(clock);
  constexpr std::size_t kCount = (std::size_t{1} << 20) + 5;  // more than is copied at once
  for (Device* where : {static_cast<Device*>(nullptr), static_cast<Device*>(&device)})
    for (const ElementType type : {ElementType::float32, ElementType::float16, ElementType::bfloat16}) {
      GradientBuffer buffer({.bytes = static_cast<Bytes>(kCount) * size_of(type), .type = type, .device = where});
      ASSERT_EQ(buffer.count(), kCount);
      EXPECT_EQ(buffer.read(0, kCount), std::vector<float>(kCount));
      std::vector<float> values(kCount - 2);
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 200);
      buffer.write(1, values);
      EXPECT_EQ(buffer.read(1, values.size()), values);
      EXPECT_EQ(buffer.read(0, 1)[0], 0);
      EXPECT_EQ(buffer.read(kCount - 1, 1)[0], 0);
      EXPECT_EQ(buffer.part(3, 4).space, where == nullptr ? MemorySpace::host : MemorySpace::device);
    }
}

}  // namespace
}  // namespace mgbench

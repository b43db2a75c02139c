#include "bench/timed_allreduce.h"

#include <mpi.h>

#include <algorithm>

#include "bench/activity.h"
#include "bench/clock.h"
#include "bench/mpi_chunks.h"
#include "report/statistics.h"

namespace mgbench {
namespace {

constexpr Seconds kShortestSample = 300e-6;
constexpr Seconds kWarmUp = 100e-6;
constexpr Seconds kLong = 10e-3;  // goes through far more memory than what came before can have left in caches
constexpr int kMostCalls = 200;

class LibraryAllreduce : public TimedAllreduce {
 public:
  explicit LibraryAllreduce(ProcessGroup& group) : group_(group) {}
  Seconds operator()(std::span<float> data) override {
    const WaitForRanks wait;
    const Seconds begin = steady_clock().now();
    for_each_chunk(data.size(), [&](std::size_t offset, int count) {
      check_mpi(MPI_Allreduce(MPI_IN_PLACE, data.data() + offset, count, MPI_FLOAT, MPI_SUM, group_.handle()),
                "MPI_Allreduce");
    });
    return steady_clock().now() - begin;
  }

 private:
  ProcessGroup& group_;
};

class EngineAllreduce : public TimedAllreduce {
 public:
  explicit EngineAllreduce(Communicator& communicator) : communicator_(communicator) {}
  Seconds operator()(std::span<float> data) override {
    communicator_.prepare(1);
    activity().enter(Activity::Part::messages);
    const Message message{.arena = {0, static_cast<Bytes>(data.size_bytes())}};
    communicator_.start(message, {.data = data.data(), .count = data.size()}, {});
    communicator_.join();
    activity().enter(Activity::Part::other);
    return communicator_.spans()[0].end - communicator_.spans()[0].ready;
  }

 private:
  Communicator& communicator_;
};

}  // namespace

std::unique_ptr<TimedAllreduce> library_allreduce(ProcessGroup& group) {
  return std::make_unique<LibraryAllreduce>(group);
}

std::unique_ptr<TimedAllreduce> engine_allreduce(Communicator& communicator) {
  return std::make_unique<EngineAllreduce>(communicator);
}

SamplePlan plan_samples(Seconds call) {
  const auto calls_in = [&](Seconds seconds, int least, int most) {
    return static_cast<int>(std::clamp(seconds / std::max(call, 1e-9), double(least), double(most)));
  };
  return {.unmeasured = call > kLong ? 0 : calls_in(kWarmUp, 1, kMostCalls / 2),
          .measured = calls_in(kShortestSample, 1, kMostCalls),
          .call = call};
}

AllreduceCalls::AllreduceCalls(ProcessGroup& group, Bytes largest)
    : group_(group), buffer_(static_cast<std::size_t>(2 * largest) / sizeof(float)) {}

std::span<float> AllreduceCalls::next(Bytes bytes) {
  const std::size_t count = static_cast<std::size_t>(bytes) / sizeof(float);
  if (next_ + count > buffer_.size()) next_ = 0;
  const std::span<float> data(buffer_.data() + next_, count);
  next_ += count;
  return data;
}

Seconds AllreduceCalls::time(TimedAllreduce& allreduce, Bytes bytes) {
  const std::span<float> data = next(bytes);
  group_.barrier();
  return allreduce(data);
}

SamplePlan AllreduceCalls::plan(TimedAllreduce& allreduce, Bytes bytes) {
  const Seconds one = time(allreduce, bytes);
  SamplePlan plan = plan_samples(group_.maximum(std::min(one, time(allreduce, bytes))));
  // A call that is cold, or that another process interrupts, takes many times as long as those that will be measured.
  while (plan.call <= kLong) {
    const int measured = plan.measured;
    plan = plan_samples(group_.maximum(median(sample(allreduce, bytes, plan))));
    if (plan.measured <= 2 * measured) break;
  }
  return plan;
}

std::vector<double> AllreduceCalls::sample(TimedAllreduce& allreduce, Bytes bytes, const SamplePlan& plan) {
  for (int i = 0; i < plan.unmeasured; ++i) time(allreduce, bytes);
  std::vector<double> result;
  for (int i = 0; i < plan.measured; ++i) result.push_back(time(allreduce, bytes));
  return result;
}

Seconds AllreduceCalls::checked_time(TimedAllreduce& allreduce, Bytes bytes, const std::string& name) {
  const std::span<float> data = next(bytes);
  for (std::size_t i = 0; i < data.size(); ++i)
    data[i] = static_cast<float>(i % 1000) + static_cast<float>(group_.rank() % 1000);
  group_.barrier();
  const Seconds seconds = allreduce(data);
  check_sum(data, name);
  activity().advance();
  std::fill(data.begin(), data.end(), 0.0F);  // sums of sums would leave the range of numbers
  return seconds;
}

/// Whole numbers below 2^24: their sums are exact.
void AllreduceCalls::check_sum(std::span<const float> data, const std::string& name) const {
  double ranks = 0;
  for (int rank = 0; rank < group_.size(); ++rank) ranks += rank % 1000;
  for (std::size_t i = 0; i < data.size(); ++i) {
    const double expected = static_cast<double>(i % 1000) * group_.size() + ranks;
    if (data[i] != static_cast<float>(expected))
      fail(ExitCode::not_measured, "allreduce of {} by {}: element {} is {}, the sum over {} ranks is {}",
           format_bytes(static_cast<Bytes>(data.size_bytes())), name, i, data[i], group_.size(), expected);
  }
}

}  // namespace mgbench

#include "bench/calibration/timed_allreduce.h"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "bench/clock.h"
#include "bench/communicators/mpi_chunks.h"
#include "bench/gpu/allreduce_stream.h"
#include "bench/watch/activity.h"
#include "report/statistics.h"

namespace mgbench {
namespace {

constexpr Seconds kShortestSample = 300e-6;
constexpr Seconds kWarmUp = 100e-6;
constexpr Seconds kLong = 10e-3;  // goes through far more memory than what came before can have left in caches
constexpr int kMostCalls = 200;
constexpr std::size_t kPiece = std::size_t{1} << 20;  // elements that are written and checked at once

class LibraryAllreduce : public TimedAllreduce {
 public:
  explicit LibraryAllreduce(ProcessGroup& group) : group_(group) {}
  Seconds operator()(const GradientView& data) override {
    const WaitForRanks wait;
    const Seconds begin = steady_clock().now();
    for_each_chunk(data.count, [&](std::size_t offset, int count) {
      check_mpi(MPI_Allreduce(MPI_IN_PLACE, static_cast<float*>(data.data) + offset, count, MPI_FLOAT, MPI_SUM,
                              group_.handle()),
                "MPI_Allreduce");
    });
    return steady_clock().now() - begin;
  }

 private:
  ProcessGroup& group_;
};

class EnqueuedAllreduce : public TimedAllreduce {
 public:
  EnqueuedAllreduce(Device& device, std::unique_ptr<StreamAllreduce> allreduce)
      : device_(device), stream_(device, std::move(allreduce)) {}

  Seconds operator()(const GradientView& data) override {
    const WaitForRanks wait;
    const Seconds begin = steady_clock().now();
    stream_.enqueue(data);
    device_.synchronize(stream_.record());
    return steady_clock().now() - begin;
  }

 private:
  Device& device_;
  AllreduceStream stream_;
};

class EngineAllreduce : public TimedAllreduce {
 public:
  EngineAllreduce(Communicator& communicator, Device* device) : communicator_(communicator), device_(device) {
    if (device != nullptr) stream_.emplace(*device, false);
  }

  Seconds operator()(const GradientView& data) override {
    communicator_.prepare(1);
    activity().enter(Activity::Part::messages);
    const Message message{.arena = {0, static_cast<Bytes>(data.count) * size_of(data.type)}};
    communicator_.start(message, data, device_ == nullptr ? Event{} : device_->record(*stream_));
    const Event end = communicator_.join();
    if (device_ != nullptr) device_->synchronize(end);
    activity().enter(Activity::Part::other);
    const MessageTimes& times = communicator_.spans()[0];
    return times.end - times.ready;
  }

 private:
  Communicator& communicator_;
  Device* device_;
  std::optional<OwnStream> stream_;  ///< of the device
};

/// What element `index` of a checked call is on a rank: sums over ranks are exact in the type, those of halves up to
/// kExactRanks of them.
float checked_value(ElementType type, std::size_t index, int rank) {
  if (type != ElementType::float32) return static_cast<float>(index % 2);
  return static_cast<float>(index % 1000) + static_cast<float>(rank % 1000);
}

constexpr int kExactRanks = 256;  // bfloat16 has eight significant bits

}  // namespace

std::unique_ptr<TimedAllreduce> library_allreduce(ProcessGroup& group) {
  return std::make_unique<LibraryAllreduce>(group);
}

std::unique_ptr<TimedAllreduce> library_allreduce(Device& device, std::unique_ptr<StreamAllreduce> allreduce) {
  return std::make_unique<EnqueuedAllreduce>(device, std::move(allreduce));
}

std::unique_ptr<TimedAllreduce> engine_allreduce(Communicator& communicator, Device* device) {
  return std::make_unique<EngineAllreduce>(communicator, device);
}

SamplePlan plan_samples(Seconds call) {
  const auto calls_in = [&](Seconds seconds, int least, int most) {
    return static_cast<int>(std::clamp(seconds / std::max(call, 1e-9), double(least), double(most)));
  };
  return {.unmeasured = call > kLong ? 0 : calls_in(kWarmUp, 1, kMostCalls / 2),
          .measured = calls_in(kShortestSample, 1, kMostCalls),
          .call = call};
}

AllreduceCalls::AllreduceCalls(ProcessGroup& group, const GradientArena& largest)
    : group_(group),
      largest_(largest),
      buffer_({.bytes = 2 * largest.bytes, .type = largest.type, .device = largest.device}) {}

AllreduceCalls::Part AllreduceCalls::next(Bytes bytes) {
  const auto count = static_cast<std::size_t>(bytes / size_of(largest_.type));
  if (next_ + count > buffer_.count()) next_ = 0;
  return {std::exchange(next_, next_ + count), count};
}

Seconds AllreduceCalls::call(TimedAllreduce& allreduce, const Part& part) {
  group_.barrier();
  return allreduce(buffer_.part(part.begin, part.count));
}

Seconds AllreduceCalls::time(TimedAllreduce& allreduce, Bytes bytes) {
  return call(allreduce, next(bytes));
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
  const Part part = next(bytes);
  fill(part, [&](std::size_t index) { return checked_value(largest_.type, index, group_.rank()); });
  const Seconds seconds = call(allreduce, part);
  check_sum(part, name);
  activity().advance();
  fill(part, [](std::size_t) { return 0.0F; });  // sums of sums would leave the range of numbers
  return seconds;
}

void AllreduceCalls::fill(const Part& part, const std::function<float(std::size_t)>& value) {
  std::vector<float> values;
  for_each_chunk(
      part.count,
      [&](std::size_t offset, int count) {
        values.resize(static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = value(offset + i);
        buffer_.write(part.begin + offset, values);
      },
      kPiece);
}

void AllreduceCalls::check_sum(const Part& part, const std::string& name) {
  double of_ranks = 0;  // what checked_value() adds for the ranks
  for (int rank = 0; rank < group_.size(); ++rank) of_ranks += checked_value(largest_.type, 0, rank);
  const bool exact = largest_.type == ElementType::float32 || group_.size() <= kExactRanks;
  for_each_chunk(
      part.count,
      [&](std::size_t offset, int count) {
        const std::vector<float> sums = buffer_.read(part.begin + offset, static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < sums.size(); ++i) {
          const double expected = double{checked_value(largest_.type, offset + i, 0)} * group_.size() + of_ranks;
          if (exact ? sums[i] != static_cast<float>(expected) : !(std::abs(sums[i] - expected) <= expected / 64))
            fail(ExitCode::not_measured, "allreduce of {} by {}: element {} is {}, the sum over {} ranks is {}",
                 format_bytes(static_cast<Bytes>(part.count) * size_of(largest_.type)), name, offset + i, sums[i],
                 group_.size(), expected);
        }
      },
      kPiece);
}

}  // namespace mgbench

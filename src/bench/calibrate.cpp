#include "bench/calibrate.h"

#include <mpi.h>

#include <algorithm>
#include <random>
#include <vector>

#include "bench/clock.h"
#include "bench/mpi_chunks.h"
#include "report/statistics.h"

namespace mgbench {
namespace {

constexpr std::size_t kLeastSamples = 6;  // fewer have no 95 % interval
constexpr std::size_t kMostSamples = 200;
constexpr double kCertain = 0.02;            // of the median
constexpr Seconds kShortestSample = 300e-6;  // a sample of a short allreduce is the median of several calls
constexpr int kMostCalls = 200;
constexpr double kSpike = 10;  // times the median of its size

class LibraryAllreduce : public TimedAllreduce {
 public:
  explicit LibraryAllreduce(ProcessGroup& group) : group_(group) {}
  Seconds operator()(std::span<float> data) override {
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
    const Message message{.arena = {0, static_cast<Bytes>(data.size_bytes())}};
    communicator_.start(message, {.data = data.data(), .count = data.size()}, {});
    communicator_.join();
    return communicator_.spans()[0].end - communicator_.spans()[0].ready;
  }

 private:
  Communicator& communicator_;
};

std::vector<Bytes> sweep_sizes(Bytes largest) {
  std::vector<Bytes> sizes;
  for (Bytes bytes = sizeof(float); bytes < largest; bytes *= 2) sizes.push_back(bytes);
  sizes.push_back(largest);
  return sizes;
}

struct Size {
  Bytes bytes = 0;
  int calls = 1;  ///< a sample
  std::vector<double> samples;
  bool certain() const {
    return samples.size() >= kMostSamples ||
           (samples.size() >= kLeastSamples && relative_uncertainty(estimate_median(samples)) <= kCertain);
  }
};

class Sweep {
 public:
  Sweep(ProcessGroup& group, TimedAllreduce& allreduce, const CurveRequest& request)
      : group_(group),
        allreduce_(allreduce),
        request_(request),
        begin_(steady_clock().now()),
        buffer_(static_cast<std::size_t>(2 * request.largest) / sizeof(float)) {}

  /// Once through the sizes upwards: checks sums, sees how long each takes, and stops where the budget would
  /// not do.
  Bytes warm_up() {
    Seconds last = 0;
    for (const Bytes bytes : sweep_sizes(request_.largest)) {
      const double growth = sizes_.empty() ? 1 : static_cast<double>(bytes) / static_cast<double>(sizes_.back().bytes);
      // Of this size and, since sizes double, as much again for all smaller ones.
      const Seconds expected = 2 * last * growth * (kLeastSamples + 1);
      if (group_.maximum(elapsed() + expected) > request_.budget && sizes_.size() >= 3) return sizes_.back().bytes;
      last = call(bytes, request_.moves_data);
      last = group_.maximum(std::min(last, call(bytes, false)));
      const int calls = static_cast<int>(std::clamp(kShortestSample / std::max(last, 1e-9), 1.0, double{kMostCalls}));
      sizes_.push_back({.bytes = bytes, .calls = calls, .samples = {}});
    }
    return 0;
  }

  void sample(Progress& progress) {
    std::mt19937_64 random(request_.seed);
    for (bool first = true;; first = false) {
      std::vector<Size*> open;
      for (Size& size : sizes_)
        if (!size.certain()) open.push_back(&size);
      const double spent = group_.maximum(elapsed() / request_.budget);
      if (open.empty() || (spent >= 1 && !first)) return;  // without a pass there is nothing to fit
      progress.advance(
          std::max(spent, 1 - static_cast<double>(open.size()) / static_cast<double>(sizes_.size())),
          fmt::format("{}: {} of {} sizes certain", request_.name, sizes_.size() - open.size(), sizes_.size()));
      std::shuffle(open.begin(), open.end(), random);  // the same order on every rank
      pass(open);
    }
  }

  CalibrationCurve curve() {
    CalibrationCurve result{.name = request_.name, .communicator = request_.communicator, .points = {}, .fit = {}};
    result.calls = calls_;
    result.spikes = static_cast<std::size_t>(group_.maximum(static_cast<double>(spikes_)));
    for (const Size& size : sizes_) {
      if (size.samples.empty()) continue;
      const MedianEstimate estimate = estimate_median(size.samples);
      result.points.push_back({.bytes = size.bytes,
                               .seconds = estimate.median,
                               .interval = estimate.interval,
                               .samples = estimate.samples});
    }
    result.fit_points();
    return result;
  }

 private:
  Seconds elapsed() const { return steady_clock().now() - begin_; }

  /// One sample of each size; of the slowest rank.
  void pass(const std::vector<Size*>& open) {
    std::vector<double> medians;
    for (const Size* size : open) {
      // Not the mean: one call in a hundred that takes a hundred times as long would double it.
      std::vector<double> calls;
      for (int i = 0; i < size->calls; ++i) calls.push_back(call(size->bytes, false));
      medians.push_back(median(calls));
      calls_ += calls.size();
      const double limit = kSpike * (size->samples.empty() ? medians.back() : median(size->samples));
      spikes_ += static_cast<std::size_t>(
          std::count_if(calls.begin(), calls.end(), [&](double seconds) { return seconds > limit; }));
    }
    medians = group_.maximum(medians);
    for (std::size_t i = 0; i < open.size(); ++i) open[i]->samples.push_back(medians[i]);
  }

  /// Ranks start together, each call on memory that the one before has not left in a cache.
  Seconds call(Bytes bytes, bool checked) {
    const std::size_t count = static_cast<std::size_t>(bytes) / sizeof(float);
    if (next_ + count > buffer_.size()) next_ = 0;
    const std::span<float> data(buffer_.data() + next_, count);
    next_ += count;
    if (checked)
      for (std::size_t i = 0; i < count; ++i)
        data[i] = static_cast<float>(i % 1000) + static_cast<float>(group_.rank() % 1000);
    group_.barrier();
    const Seconds seconds = allreduce_(data);
    if (checked) check_sum(data);
    return seconds;
  }

  /// Whole numbers below 2^24: their sums are exact.
  void check_sum(std::span<float> data) {
    double ranks = 0;
    for (int rank = 0; rank < group_.size(); ++rank) ranks += rank % 1000;
    for (std::size_t i = 0; i < data.size(); ++i) {
      const double expected = static_cast<double>(i % 1000) * group_.size() + ranks;
      if (data[i] != static_cast<float>(expected))
        fail(ExitCode::not_measured, "allreduce of {} by {}: element {} is {}, the sum over {} ranks is {}",
             format_bytes(static_cast<Bytes>(data.size_bytes())), request_.communicator, i, data[i], group_.size(),
             expected);
    }
    std::fill(data.begin(), data.end(), 0.0F);  // sums of sums would leave the range of numbers
  }

  ProcessGroup& group_;
  TimedAllreduce& allreduce_;
  const CurveRequest& request_;
  Seconds begin_;
  std::vector<float> buffer_;
  std::size_t next_ = 0;
  std::vector<Size> sizes_;
  std::size_t calls_ = 0;
  std::size_t spikes_ = 0;  // on this rank
};

}  // namespace

std::unique_ptr<TimedAllreduce> library_allreduce(ProcessGroup& group) {
  return std::make_unique<LibraryAllreduce>(group);
}

std::unique_ptr<TimedAllreduce> engine_allreduce(Communicator& communicator) {
  return std::make_unique<EngineAllreduce>(communicator);
}

MeasuredCurve measure_curve(ProcessGroup& group, TimedAllreduce& allreduce, const CurveRequest& request,
                            Progress& progress) {
  Sweep sweep(group, allreduce, request);
  const Bytes left_out_above = sweep.warm_up();
  sweep.sample(progress);
  return {.curve = sweep.curve(), .left_out_above = left_out_above};
}

}  // namespace mgbench

#include "bench/calibration/calibrate.h"

#include <algorithm>
#include <random>
#include <vector>

#include "bench/clock.h"
#include "bench/watch/interruption.h"
#include "report/statistics.h"

namespace mgbench {
namespace {

constexpr std::size_t kMostSamples = 200;
constexpr std::size_t kTelling = 50;  // by then the interval shows to a factor of two how many it would take
constexpr double kCertain = 0.02;     // of the median
constexpr Seconds kShort = 1e-3;      // costs next to nothing
constexpr double kSpike = 10;         // times the median of its size

std::vector<Bytes> sweep_sizes(Bytes largest) {
  std::vector<Bytes> sizes;
  for (Bytes bytes = sizeof(float); bytes < largest; bytes *= 2) sizes.push_back(bytes);
  sizes.push_back(largest);
  return sizes;
}

struct Size {
  Bytes bytes = 0;
  SamplePlan plan;
  std::vector<double> samples;
  /// Certain, or will not be within kMostSamples: intervals shrink with the square root of their number.
  bool settled() const {
    if (samples.size() < kLeastSamples) return false;
    const double uncertainty = relative_uncertainty(estimate_median(samples)) / kCertain;
    if (uncertainty <= 1) return true;
    if (samples.size() >= kMostSamples) return true;
    const auto taken = static_cast<double>(samples.size());
    return samples.size() >= kTelling && taken * uncertainty * uncertainty > 2 * kMostSamples;
  }
  /// An interval is worth these samples even where the budget is spent.
  bool wants_few_short_samples() const { return samples.size() < kLeastSamples && plan.call <= kShort; }
};

class Sweep {
 public:
  Sweep(ProcessGroup& group, TimedAllreduce& allreduce, const CurveRequest& request)
      : group_(group),
        allreduce_(allreduce),
        request_(request),
        begin_(steady_clock().now()),
        calls_(group, request.arena) {}

  /// Once through the sizes upwards: checks sums, sees how long each takes, and stops where the budget would
  /// not do.
  Bytes warm_up() {
    Seconds last = 0;
    for (const Bytes bytes : sweep_sizes(request_.arena.bytes)) {
      const double growth = sizes_.empty() ? 1 : static_cast<double>(bytes) / static_cast<double>(sizes_.back().bytes);
      // Of this size and, since sizes double, as much again for all smaller ones.
      const Seconds expected = 2 * last * growth * (kLeastSamples + 2);
      if (spent(expected) >= 1 && sizes_.size() >= 3) return sizes_.back().bytes;
      if (request_.moves_data) calls_.checked_time(allreduce_, bytes, request_.communicator);
      const SamplePlan plan = calls_.plan(allreduce_, bytes);
      last = plan.call;
      sizes_.push_back({.bytes = bytes, .plan = plan, .samples = {}});
    }
    return 0;
  }

  void sample(Progress& progress) {
    std::mt19937_64 random(request_.seed);
    for (bool first = true;; first = false) {
      const double spent = this->spent();
      const bool in_time = spent < 1 || first;  // without a pass there is nothing to fit
      std::vector<Size*> open;
      for (Size& size : sizes_)
        if (in_time ? !size.settled() : size.wants_few_short_samples()) open.push_back(&size);
      if (open.empty()) return;
      progress.advance(
          std::max(spent, 1 - static_cast<double>(open.size()) / static_cast<double>(sizes_.size())),
          fmt::format("{}: {} of {} sizes done", request_.name, sizes_.size() - open.size(), sizes_.size()));
      std::shuffle(open.begin(), open.end(), random);  // the same order on every rank
      pass(open);
    }
  }

  CalibrationCurve curve() {
    CalibrationCurve result{.name = request_.name, .communicator = request_.communicator, .points = {}, .fit = {}};
    result.calls = called_;
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
  /// The share of the budget, with `more` on top.
  double spent(Seconds more = 0) {
    return group_.maximum(share_spent(steady_clock().now() - begin_ + more, request_.budget));
  }

  /// One sample of each size; of the slowest rank.
  void pass(const std::vector<Size*>& open) {
    std::vector<double> medians;
    for (const Size* size : open) {
      // Not the mean: one call in a hundred that takes a hundred times as long would double it.
      const std::vector<double> calls = calls_.sample(allreduce_, size->bytes, size->plan);
      medians.push_back(median(calls));
      called_ += calls.size();
      const double limit = kSpike * (size->samples.empty() ? medians.back() : median(size->samples));
      spikes_ += static_cast<std::size_t>(
          std::count_if(calls.begin(), calls.end(), [&](double seconds) { return seconds > limit; }));
    }
    medians = group_.maximum(medians);
    for (std::size_t i = 0; i < open.size(); ++i) open[i]->samples.push_back(medians[i]);
  }

  ProcessGroup& group_;
  TimedAllreduce& allreduce_;
  const CurveRequest& request_;
  Seconds begin_;
  AllreduceCalls calls_;
  std::vector<Size> sizes_;
  std::size_t called_ = 0;
  std::size_t spikes_ = 0;  // on this rank
};

}  // namespace

MeasuredCurve measure_curve(ProcessGroup& group, TimedAllreduce& allreduce, const CurveRequest& request,
                            Progress& progress) {
  Sweep sweep(group, allreduce, request);
  const Bytes left_out_above = sweep.warm_up();
  sweep.sample(progress);
  return {.curve = sweep.curve(), .left_out_above = left_out_above};
}

}  // namespace mgbench

#include "planner/overlap_fit.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace mgbench {
namespace {

/// Twice as many as there are figures to fit.
constexpr std::size_t kEnoughSchedules = 4;

/// y = slope x + rise n by least squares, the slope within bounds and the rise >= 0.
class TwoParameterFit {
 public:
  TwoParameterFit(double least_slope, double most_slope) : least_(least_slope), most_(most_slope) {}

  void add(double x, double n, double y) {
    xx_ += x * x;
    xn_ += x * n;
    nn_ += n * n;
    xy_ += x * y;
    ny_ += n * y;
  }

  struct Result {
    double slope = 0, rise = 0;
  };

  /// The problem is convex: the optimum is the unconstrained one where that is allowed, else the best point of an edge.
  Result best() const {
    std::vector<Result> candidates{{best_slope(0), 0}, {least_, best_rise(least_)}};
    if (most_ < std::numeric_limits<double>::infinity()) candidates.push_back({most_, best_rise(most_)});
    const double determinant = xx_ * nn_ - xn_ * xn_;
    if (determinant > 1e-12 * xx_ * nn_) {
      const Result free{(xy_ * nn_ - ny_ * xn_) / determinant, (ny_ * xx_ - xy_ * xn_) / determinant};
      if (free.slope >= least_ && free.slope <= most_ && free.rise >= 0) candidates.push_back(free);
    }
    return *std::min_element(candidates.begin(), candidates.end(),
                             [&](const Result& left, const Result& right) { return loss(left) < loss(right); });
  }

 private:
  /// Sum of squared residuals less the constant sum of y².
  double loss(const Result& at) const {
    return at.slope * at.slope * xx_ + 2 * at.slope * at.rise * xn_ + at.rise * at.rise * nn_ - 2 * at.slope * xy_ -
           2 * at.rise * ny_;
  }
  double best_rise(double slope) const { return nn_ > 0 ? std::max(0.0, (ny_ - slope * xn_) / nn_) : 0; }
  double best_slope(double rise) const {
    return xx_ > 0 ? std::clamp((xy_ - rise * xn_) / xx_, least_, most_) : least_;
  }

  const double least_, most_;
  double xx_ = 0, xn_ = 0, nn_ = 0, xy_ = 0, ny_ = 0;
};

Seconds common_time(Seconds begin, Seconds end, const MessageTimes& message) {
  return std::max(0.0, std::min(end, message.end) - std::max(begin, message.start));
}

/// What has ended and was not noticed yet takes nothing from the core.
OverlapObservation observation_of(const ObservedSchedule& schedule, std::size_t first, std::size_t last,
                                  Seconds notice) {
  const auto before = [&](const std::vector<Seconds>& ends) { return first == 0 ? 0 : ends[first - 1]; };
  const Seconds begin = before(schedule.step_ends);
  const Seconds end = schedule.step_ends[last];
  OverlapObservation observation{
      .extra = (end - begin) - (schedule.quiet_step_ends[last] - before(schedule.quiet_step_ends)),
      .in_flight = 0,
      .messages = 0};
  for (MessageTimes message : schedule.messages) {
    if (message.start >= begin && message.start < end) ++observation.messages;
    if (message.end < schedule.step_ends.back()) message.end -= notice;
    observation.in_flight += common_time(begin, end, message);
  }
  return observation;
}

}  // namespace

Overlap fit_messages(const std::vector<MessageObservation>& messages) {
  TwoParameterFit fit(1, std::numeric_limits<double>::infinity());
  for (const MessageObservation& message : messages) fit.add(message.expected, 1, message.measured);
  const auto [stretch, notice] = fit.best();
  return {.core_share = 0, .stretch = stretch, .message_cpu = 0, .notice = notice};
}

Overlap fit_computation(const std::vector<OverlapObservation>& parts, Overlap overlap) {
  TwoParameterFit fit(0, 1);
  for (const OverlapObservation& part : parts) fit.add(part.in_flight, part.messages, part.extra);
  const auto [core_share, message_cpu] = fit.best();
  overlap.core_share = core_share;
  overlap.message_cpu = message_cpu;
  return overlap;
}

Overlap fit_overlap(const std::vector<ObservedSchedule>& schedules) {
  std::vector<MessageObservation> messages;
  for (const ObservedSchedule& schedule : schedules)
    messages.insert(messages.end(), schedule.ended.begin(), schedule.ended.end());
  const Overlap overlap = fit_messages(messages);

  std::vector<OverlapObservation> parts;
  for (const ObservedSchedule& schedule : schedules) {
    const std::size_t steps = schedule.step_ends.size();
    if (schedules.size() >= kEnoughSchedules)
      parts.push_back(observation_of(schedule, 0, steps - 1, overlap.notice));
    else
      for (std::size_t step = 0; step < steps; ++step)
        parts.push_back(observation_of(schedule, step, step, overlap.notice));
  }
  return fit_computation(parts, overlap);
}

}  // namespace mgbench

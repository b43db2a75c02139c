#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "planner/line_fit.h"

namespace mgbench {

/// Fewer have no 95 % interval of their median.
inline constexpr std::size_t kLeastSamples = 6;

/// A median with its distribution-free 95 % interval (order statistics of the binomial); none with fewer
/// than kLeastSamples.
struct MedianEstimate {
  double median = 0;
  std::optional<Interval> interval;
  std::size_t samples = 0;
};

/// Middle value; the mean of the two middle ones for an even count. Throws Error for no values.
double median(std::span<const double> values);

MedianEstimate estimate_median(std::span<const double> values);

/// Median of other[i] / own[i]: above 1 where `own` is faster. Both have one value for each common (round,
/// position).
MedianEstimate estimate_ratio(std::span<const double> other, std::span<const double> own);

/// Whether 1 lies inside the interval, or there is none.
bool not_distinguishable(const MedianEstimate& ratio);

/// Half of the interval's width by the median; infinite without an interval.
double relative_uncertainty(const MedianEstimate& estimate);

}  // namespace mgbench

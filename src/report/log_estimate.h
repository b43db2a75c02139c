#pragma once

#include <span>

#include "report/statistics.h"

namespace mgbench {

// Positive figures on the logarithmic scale, where ratios are differences and a slowdown by a factor is as long as
// the speed-up by the same factor.

/// The logarithm of a figure, and how far its 95 % interval reaches to both sides.
struct LogEstimate {
  double center = 0;
  double below = 0;  ///< infinite where the interval reaches zero
  double above = 0;
};

/// Of `estimate` + `beside`, which must be positive; without an interval both arms are 0.
LogEstimate log_estimate(const MedianEstimate& estimate, double beside = 0);

/// Of figures that were measured independently: arms add as squares divided by their number (MOVER: Zou, Donner,
/// Statistics in Medicine 27, 2008). Throws Error for none.
LogEstimate mean(std::span<const LogEstimate> estimates);

/// Of two figures that were measured independently: a lower bound of the quotient comes of a low numerator and a high
/// denominator, (numerator.below^2 + denominator.above^2)^(1/2) below the center (MOVER).
LogEstimate quotient(const LogEstimate& numerator, const LogEstimate& denominator);

/// Both arms longer by what `arm` adds to them independently.
LogEstimate widened(const LogEstimate& estimate, double arm);

Interval interval_of(const LogEstimate& estimate);

}  // namespace mgbench

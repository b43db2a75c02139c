#include "report/log_estimate.h"

#include <cmath>
#include <limits>

#include "base/error.h"

namespace mgbench {

LogEstimate log_estimate(const MedianEstimate& estimate, double beside) {
  const double figure = estimate.median + beside;
  LogEstimate result{.center = std::log(figure)};
  if (!estimate.interval) return result;
  const double low = estimate.interval->low + beside;
  result.below = low > 0 ? std::log(figure / low) : std::numeric_limits<double>::infinity();
  result.above = std::log((estimate.interval->high + beside) / figure);
  return result;
}

LogEstimate mean(std::span<const LogEstimate> estimates) {
  require(!estimates.empty(), "the mean of no figures was asked for");
  LogEstimate sum;
  for (const LogEstimate& estimate : estimates) {
    sum.center += estimate.center;
    sum.below = std::hypot(sum.below, estimate.below);
    sum.above = std::hypot(sum.above, estimate.above);
  }
  const auto count = static_cast<double>(estimates.size());
  return {sum.center / count, sum.below / count, sum.above / count};
}

LogEstimate quotient(const LogEstimate& numerator, const LogEstimate& denominator) {
  return {numerator.center - denominator.center, std::hypot(numerator.below, denominator.above),
          std::hypot(numerator.above, denominator.below)};
}

LogEstimate widened(const LogEstimate& estimate, double arm) {
  return {estimate.center, std::hypot(estimate.below, arm), std::hypot(estimate.above, arm)};
}

Interval interval_of(const LogEstimate& estimate) {
  return {std::exp(estimate.center - estimate.below), std::exp(estimate.center + estimate.above)};
}

}  // namespace mgbench

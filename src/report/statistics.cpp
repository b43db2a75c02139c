#include "report/statistics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "base/error.h"

namespace mgbench {
namespace {

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> result(values.begin(), values.end());
  std::sort(result.begin(), result.end());
  return result;
}

double middle(const std::vector<double>& ascending) {
  const std::size_t half = ascending.size() / 2;
  return ascending.size() % 2 == 1 ? ascending[half] : std::midpoint(ascending[half - 1], ascending[half]);
}

/// How many samples may be cut off at each end so that the rest still covers the median with 95 %: the number
/// of samples below the true median is binomial(n, 1/2) for any continuous distribution, and the k-th
/// smallest and k-th largest enclose it unless fewer than k lie on one side: coverage = 1 - 2 P(B <= k - 1).
/// Returns the largest such k, 0 if even the extremes do not suffice (n < 6).
std::size_t rank_of_bound(std::size_t n) {
  const double count = static_cast<double>(n);
  double below = 0;  // P(B <= k), summed from k = 0
  std::size_t k = 0;
  for (; k < n / 2; ++k) {
    const double chosen = static_cast<double>(k);
    // Logarithms, because 2^-n underflows above a thousand samples.
    below += std::exp(std::lgamma(count + 1) - std::lgamma(chosen + 1) - std::lgamma(count - chosen + 1) -
                      count * std::log(2.0));
    if (2 * below > 0.05) break;
  }
  return k;
}

}  // namespace

double median(std::span<const double> values) {
  require(!values.empty(), "the median of no values was asked for");
  return middle(sorted(values));
}

MedianEstimate estimate_median(std::span<const double> values) {
  require(!values.empty(), "the median of no values was asked for");
  const std::vector<double> ascending = sorted(values);
  MedianEstimate estimate{.median = middle(ascending), .interval = std::nullopt, .samples = values.size()};
  if (const std::size_t rank = rank_of_bound(values.size()); rank > 0)
    estimate.interval = Interval{ascending[rank - 1], ascending[values.size() - rank]};
  return estimate;
}

MedianEstimate estimate_ratio(std::span<const double> other, std::span<const double> own) {
  require(other.size() == own.size(), "a paired ratio needs equally many values on both sides, not {} and {}",
          other.size(), own.size());
  std::vector<double> ratios(own.size());
  std::transform(other.begin(), other.end(), own.begin(), ratios.begin(), std::divides<>());
  return estimate_median(ratios);
}

bool not_distinguishable(const MedianEstimate& ratio) {
  return !ratio.interval || (ratio.interval->low <= 1 && 1 <= ratio.interval->high);
}

double relative_uncertainty(const MedianEstimate& estimate) {
  if (!estimate.interval) return std::numeric_limits<double>::infinity();
  return (estimate.interval->high - estimate.interval->low) / 2 / std::abs(estimate.median);
}

}  // namespace mgbench

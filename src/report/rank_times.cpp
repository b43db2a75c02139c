#include "report/rank_times.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace mgbench {
namespace {

constexpr std::size_t kMostNamed = 10;
constexpr double kMargin = 0.05;
constexpr double kUncertainMargin = 0.25;  // where there are too few rounds for an interval
constexpr double kDeviations = 5;          // of ranks that spread normally one in three million is farther out
constexpr double kNormalMad = 1.4826;      // standard deviation by median absolute deviation

Seconds deviation(std::span<const double> values, Seconds center) {
  std::vector<double> distances;
  for (const double value : values) distances.push_back(std::abs(value - center));
  return median(distances);
}

double upper(const MedianEstimate& rank) {
  return rank.interval ? rank.interval->high : std::numeric_limits<double>::infinity();
}

/// One value of each rank but `left_out`.
template <typename Read>
std::vector<double> others(std::span<const MedianEstimate> ranks, std::size_t left_out, Read read) {
  std::vector<double> values;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    if (rank != left_out) values.push_back(read(ranks[rank]));
  return values;
}

Seconds median_time(const MedianEstimate& rank) {
  return rank.median;
}

bool is_slow(std::span<const MedianEstimate> ranks, std::size_t rank) {
  if (ranks.size() < 2 || ranks[rank].samples < 2) return false;
  const bool certain = ranks[rank].interval.has_value();
  const std::vector<double> times = others(ranks, rank, median_time);
  const Seconds typical = median(times);
  const Seconds margin =
      std::max((certain ? kMargin : kUncertainMargin) * typical, kDeviations * kNormalMad * deviation(times, typical));
  if (ranks[rank].median <= typical + margin) return false;
  return !certain || ranks[rank].interval->low > median(others(ranks, rank, upper));
}

}  // namespace

RankTimes compare_ranks(std::span<const MedianEstimate> ranks) {
  std::vector<double> times(ranks.size());
  std::transform(ranks.begin(), ranks.end(), times.begin(), median_time);
  RankTimes result;
  result.typical = median(times);
  result.spread = deviation(times, result.typical);

  std::vector<std::size_t> order(ranks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t left, std::size_t right) { return times[left] > times[right]; });
  while (result.slow < order.size() && is_slow(ranks, order[result.slow])) ++result.slow;
  if (result.slow < order.size()) result.lost = times[order.front()] - times[order[result.slow]];

  for (std::size_t i = 0; i < std::min(kMostNamed, order.size()); ++i) {
    const std::size_t rank = order[i];
    const Seconds reference = ranks.size() > 1 ? median(others(ranks, rank, median_time)) : times[rank];
    result.slowest.push_back({.rank = static_cast<int>(rank),
                              .host = "",
                              .seconds = times[rank],
                              .ratio = reference > 0 ? times[rank] / reference : 1,
                              .slow = i < result.slow});
  }
  return result;
}

}  // namespace mgbench

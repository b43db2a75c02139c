#include "bench/host/observe_ranks.h"

#include <array>
#include <limits>
#include <vector>

#include "report/round_times.h"

namespace mgbench {
namespace {

/// This rank's; its records stand beside the samples that were made of them.
MedianEstimate end_of_backward(const Contestant& contestant) {
  std::vector<Sample> own = contestant.samples;
  for (std::size_t i = 0; i < own.size(); ++i) own[i].iteration = contestant.records.at(i).timeline.backward_end;
  return median_of_rounds(round_times(own));
}

}  // namespace

RankTimes observe_ranks(ProcessGroup& group, const Contestant& contestant, const std::string& host) {
  const MedianEstimate own = end_of_backward(contestant);
  const Interval unknown{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  const Interval interval = own.interval.value_or(unknown);
  const std::vector<double> all = group.gather(std::array{own.median, interval.low, interval.high});

  RankTimes times;
  std::vector<std::uint64_t> slowest;
  if (group.is_root()) {
    std::vector<MedianEstimate> ranks;
    for (std::size_t i = 0; i < all.size(); i += 3) {
      ranks.push_back({.median = all[i], .interval = std::nullopt, .samples = own.samples});
      if (own.interval) ranks.back().interval = Interval{all[i + 1], all[i + 2]};
    }
    times = compare_ranks(ranks);
    for (const RankTime& rank : times.slowest) slowest.push_back(static_cast<std::uint64_t>(rank.rank));
  }
  const std::vector<std::string> hosts = group.texts_of(std::move(slowest), host);
  for (std::size_t i = 0; i < times.slowest.size(); ++i) times.slowest[i].host = hosts[i];
  return times;
}

}  // namespace mgbench

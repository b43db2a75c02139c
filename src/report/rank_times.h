#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/units.h"
#include "report/statistics.h"

namespace mgbench {

// Who keeps the others waiting (docs/method.md, "Who is slow").

struct RankTime {
  int rank = 0;
  std::string host;
  Seconds seconds = 0;  ///< median over rounds
  double ratio = 1;     ///< to the median of the other ranks
  bool slow = false;
};

/// What ranks needed for the same work.
struct RankTimes {
  Seconds typical = 0;            ///< median of ranks
  Seconds spread = 0;             ///< median absolute deviation from it
  std::size_t slow = 0;           ///< ranks that are
  Seconds lost = 0;               ///< the slowest rank's time less that of the slowest one that is not slow
  std::vector<RankTime> slowest;  ///< at most ten, the slowest first
};

/// `ranks` by rank. From the slowest down, a rank is slow as long as, m being the median of the others and D their
/// median absolute deviation: its median is above m + max(0.05 m, 5 * 1.4826 D), and its interval above the
/// median of the others' upper bounds. Without intervals (two to five rounds) it takes 0.25 m instead of 0.05 m. Hosts
/// are left empty. Throws Error for no ranks.
RankTimes compare_ranks(std::span<const MedianEstimate> ranks);

}  // namespace mgbench

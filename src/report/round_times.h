#pragma once

#include <map>
#include <optional>
#include <vector>

#include "base/units.h"
#include "report/run_result.h"
#include "report/statistics.h"

namespace mgbench {

// What rounds tell of a schedule. A round is one witness, however many iterations its block has: consecutive
// iterations share the machine's mood, and intervals that count each of them are too narrow (docs/method.md,
// "Statistics").

/// One value a round.
using RoundTimes = std::map<int, Seconds>;

/// Median of each round's samples that were not rejected.
RoundTimes round_times(const std::vector<Sample>& samples, Seconds Sample::*component = &Sample::iteration);

/// Median over rounds; an estimate without samples where there is none.
MedianEstimate median_of_rounds(const RoundTimes& times);

/// Median of other / own over the rounds in which both have times; none without such a round.
std::optional<MedianEstimate> ratio_by_rounds(const RoundTimes& other, const RoundTimes& own);

}  // namespace mgbench

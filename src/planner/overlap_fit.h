#pragma once

#include <vector>

#include "planner/cost_model.h"

namespace mgbench {

/// What one backward step lost to communication, beside the same step without communication.
struct OverlapObservation {
  Seconds extra = 0;      ///< its duration with messages less its duration without
  Seconds in_flight = 0;  ///< how much of it a message was in flight
  double messages = 0;    ///< messages that started in it
};

/// Durations of the messages that ended before backward did, beside what the calibrated cost says.
struct StretchObservation {
  Seconds measured = 0;  ///< sum
  Seconds expected = 0;  ///< sum; 0: there were none
};

/// Least squares of extra = core_share in_flight + message_cpu messages with 0 <= core_share <= 1 and
/// message_cpu >= 0; stretch = measured / expected, at least 1.
Overlap fit_overlap(const std::vector<OverlapObservation>& steps, const StretchObservation& messages);

}  // namespace mgbench

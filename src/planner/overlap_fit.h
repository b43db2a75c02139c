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

/// A message that ended before backward did.
struct MessageObservation {
  Seconds measured = 0;
  Seconds expected = 0;  ///< what the calibrated cost says; > 0
};

/// The stretch >= 1 and the notice >= 0 with the least squares of measured = stretch expected + notice.
Overlap fit_messages(const std::vector<MessageObservation>& messages);

/// `overlap` with the core_share (0 to 1) and the message_cpu (>= 0) that have the least squares of
/// extra = core_share in_flight + message_cpu messages.
Overlap fit_computation(const std::vector<OverlapObservation>& steps, Overlap overlap);

}  // namespace mgbench

#pragma once

#include <vector>

#include "planner/cost_model.h"
#include "planner/timeline.h"

namespace mgbench {

/// What a part of backward, one step or all of them, lost to communication.
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
Overlap fit_computation(const std::vector<OverlapObservation>& parts, Overlap overlap);

/// What a schedule showed beside the same computation without communication.
struct ObservedSchedule {
  std::vector<MessageObservation> ended;  ///< messages that ended before backward did
  std::vector<MessageTimes> messages;     ///< all, since the begin of backward
  std::vector<Seconds> step_ends;  ///< of backward's steps with messages, since its begin, in the order of execution
  std::vector<Seconds> quiet_step_ends;  ///< the same without messages
};

/// Stretch and notice from the messages of all schedules. Then core_share and message_cpu: of four schedules and more
/// from what each lost in backward as a whole, of fewer from each of their steps. (A message may take the core in
/// another step than that in which it is in flight: when it is started, or when its end is polled.)
Overlap fit_overlap(const std::vector<ObservedSchedule>& schedules);

}  // namespace mgbench

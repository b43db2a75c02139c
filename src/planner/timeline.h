#pragma once

#include <vector>

#include "base/units.h"
#include "planner/merge_plan.h"

namespace mgbench {

/// Seconds from the start of an iteration.
struct MessageTimes {
  Seconds ready = 0;  ///< its last gradient is complete
  Seconds start = 0;
  Seconds end = 0;
};

/// A predicted or measured iteration.
struct Timeline {
  Seconds stall = 0;  ///< that forward waited for messages of the iteration before
  Seconds forward_end = 0;
  Seconds backward_end = 0;
  Seconds communication_end = 0;       ///< of the last message; backward_end if there is none
  Seconds iteration = 0;               ///< update included
  std::vector<MessageTimes> messages;  ///< those that a forward step waits for last

  /// Time between the end of backward and the end of the last message, and `stall`.
  Seconds exposed() const;
};

/// One message at a time, in order of the schedule:
///   start_g = max(end_{g-1}, ready_g),  end_g = start_g + T(bytes_g),  iteration = max(end_G, backward end)
///   + update.
/// With CostModel::overlap(): while a message is in flight, computation advances at (1 - core_share) of its
/// rate, and a message at 1 / stretch of its rate while computation has work left; each message that starts
/// before backward has ended takes message_cpu from it first, and does not end before it has had that. While
/// computation runs the end is noticed, and the channel free, only after `notice`, or as soon as computation has ended.
/// Messages that a forward step waits for are those of the iteration before, in a run of equal iterations: they are
/// sent from the iteration's start on, and a step starts when the one before and its messages have ended. Their times,
/// and those of schedules with several channels (shared_link.h), are predicted for a cost without overlap only: throws
/// Error else.
Timeline predict(const Profile& profile, const Schedule& schedule, const CostModel& cost);

}  // namespace mgbench

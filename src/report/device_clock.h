#pragma once

#include <vector>

#include "report/pytorch_trace.h"

namespace mgbench {

/// When a GPU did what the host asked for: it works through its queue later than the host fills it. Copies and kernels
/// of collectives are not among the work, which ends in the order in which it was launched.
class DeviceClock {
 public:
  explicit DeviceClock(std::vector<DeviceWork> work);  ///< not empty

  /// When everything that was launched up to the host's time `time` is done; before all work: when that begins.
  Seconds done(Seconds time) const;
  /// When the first work begins that was launched at the host's time `time` or later; behind all work: when that is
  /// done.
  Seconds begun(Seconds time) const;
  /// How long the work takes that was launched during `span`, behind what was launched before.
  Seconds time_between(const TraceSpan& span) const { return done(span.end) - done(span.begin); }

  /// The step's spans on the device instead of the host.
  void move(TraceStep& step) const;

 private:
  std::vector<DeviceWork> work_;  ///< by launch; ends do not fall
};

}  // namespace mgbench

#pragma once

#include "base/units.h"

namespace mgbench {

/// Time as the engine sees it. Tests replace it by virtual time.
class Clock {
 public:
  virtual ~Clock() = default;
  /// Monotonic; the origin is arbitrary but fixed.
  virtual Seconds now() const = 0;
  virtual void sleep_until(Seconds time) = 0;
};

/// The host's monotonic clock; sleeps to within some microseconds (timer slack is set to its minimum).
Clock& steady_clock();

}  // namespace mgbench

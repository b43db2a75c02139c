#pragma once

#include <algorithm>

#include "bench/clock.h"

namespace mgbench {

/// Time that passes only when somebody sleeps.
class VirtualClock final : public Clock {
 public:
  Seconds now() const override { return now_; }
  void sleep_until(Seconds time) override { now_ = std::max(now_, time); }

 private:
  Seconds now_ = 0;
};

}  // namespace mgbench

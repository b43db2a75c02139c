#pragma once

#include <atomic>

#include "bench/clock.h"

namespace mgbench {

/// Time that passes only when somebody sleeps. Of any thread.
class VirtualClock final : public Clock {
 public:
  Seconds now() const override { return now_; }
  void sleep_until(Seconds time) override {
    Seconds before = now_;
    while (before < time && !now_.compare_exchange_weak(before, time)) {
    }
  }

 private:
  std::atomic<Seconds> now_ = 0;
};

}  // namespace mgbench

#include "bench/clock.h"

#include <sys/prctl.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <ctime>

namespace mgbench {
namespace {

class SteadyClock final : public Clock {
 public:
  Seconds now() const override {
    return std::chrono::duration<Seconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

  void sleep_until(Seconds time) override {
    // By default the kernel may wake a thread 50 us late to save power. The setting belongs to the calling
    // thread.
    thread_local const int slack = prctl(PR_SET_TIMERSLACK, 1UL);
    static_cast<void>(slack);

    const double whole = std::floor(time);
    const timespec deadline{static_cast<time_t>(whole), static_cast<long>((time - whole) * 1e9)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, nullptr) == EINTR) {
    }
  }
};

}  // namespace

Clock& steady_clock() {
  static SteadyClock clock;
  return clock;
}

}  // namespace mgbench

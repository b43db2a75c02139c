#include "bench/host/short_slice.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace mgbench {
namespace {

/// As sched_setattr(2) documents it; the C library has no declaration.
struct SchedulingAttributes {
  std::uint32_t size = sizeof(SchedulingAttributes);
  std::uint32_t policy = SCHED_OTHER;
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t runtime = 0;  // nanoseconds; of SCHED_OTHER: the slice
  std::uint64_t deadline = 0;
  std::uint64_t period = 0;
};

}  // namespace

void take_short_slices() {
  constexpr std::uint64_t kShortest = 100'000;  // nanoseconds, what the kernel allows
  SchedulingAttributes attributes;
  if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0 || attributes.policy != SCHED_OTHER) return;
  attributes.runtime = kShortest;
  // A wish: where it is refused, wake-ups are late now and then, which is recorded.
  static_cast<void>(syscall(SYS_sched_setattr, 0, &attributes, 0));
}

}  // namespace mgbench

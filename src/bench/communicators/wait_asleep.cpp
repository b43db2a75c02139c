#include "bench/communicators/wait_asleep.h"

#include <algorithm>

#include "bench/mpi/process_group.h"

namespace mgbench {
namespace {

/// Short messages end within some microseconds if all ranks are there; a sleep of any length costs ten times
/// as much.
constexpr Seconds kAwake = 10e-6;
/// Then the lateness stays a quarter of the time waited, up to what long messages can bear.
constexpr Seconds kFirstPause = 20e-6;
constexpr Seconds kLongestPause = 200e-6;
constexpr double kGrowth = 1.25;

bool completed(MPI_Request& request) {
  int flag = 0;
  check_mpi(MPI_Test(&request, &flag, MPI_STATUS_IGNORE), "MPI_Test");
  return flag != 0;
}

}  // namespace

void wait_asleep(MPI_Request& request, Clock& clock) {
  const Seconds awake_until = clock.now() + kAwake;
  do {
    if (completed(request)) return;
  } while (clock.now() < awake_until);
  for (Seconds pause = kFirstPause;; pause = std::min(pause * kGrowth, kLongestPause)) {
    clock.sleep_until(clock.now() + pause);
    if (completed(request)) return;
  }
}

}  // namespace mgbench

#include "bench/communicators/wait_asleep.h"

#include <algorithm>

#include "bench/process_group.h"

namespace mgbench {
namespace {

constexpr Seconds kFirstPause = 20e-6;
constexpr Seconds kLongestPause = 200e-6;
constexpr double kGrowth = 1.5;

}  // namespace

void wait_asleep(MPI_Request& request, Clock& clock) {
  for (Seconds pause = kFirstPause;; pause = std::min(pause * kGrowth, kLongestPause)) {
    int completed = 0;
    check_mpi(MPI_Test(&request, &completed, MPI_STATUS_IGNORE), "MPI_Test");
    if (completed != 0) return;
    clock.sleep_until(clock.now() + pause);
  }
}

}  // namespace mgbench

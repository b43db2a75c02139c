#pragma once

#include <mpi.h>

#include "bench/clock.h"

namespace mgbench {

/// Tests a request until it has completed and sleeps in between, so that the core is left to computation.
/// Every test drives MPI's progress.
void wait_asleep(MPI_Request& request, Clock& clock);

}  // namespace mgbench

#pragma once

#include "bench/command.h"
#include "bench/host/placement.h"
#include "bench/terminal/progress.h"

namespace mgbench {

/// `calibrate --algorithms`: measures what would make the library's allreduce faster up to `largest`, within `budget`:
/// MPI's, or NCCL's with --communicator nccl. Prints and saves it, with what to set where there is something to change.
/// Collective.
ExitCode compare_library_algorithms(const RunConfig& config, Session& session, const Placement& placement,
                                    Bytes largest, Seconds budget, Progress& progress);

}  // namespace mgbench

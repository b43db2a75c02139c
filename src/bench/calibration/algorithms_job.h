#pragma once

#include "bench/command.h"
#include "bench/host/placement.h"
#include "bench/terminal/progress.h"

namespace mgbench {

/// `calibrate --algorithms`: measures what would make the library's allreduce faster up to `largest`, within `budget`;
/// prints and saves it, with rules for the library where there is something to change. Collective.
ExitCode compare_library_algorithms(const RunConfig& config, Session& session, const Placement& placement,
                                    Bytes largest, Seconds budget, Progress& progress);

}  // namespace mgbench

#pragma once

#include <string>

#include "bench/command.h"
#include "bench/host/placement.h"
#include "report/run_result.h"

namespace mgbench {

/// Hosts, processors, binding, libraries with versions, MPI's settings, job: everything that may explain a
/// number. Complete on rank 0, empty elsewhere. Collective.
Environment collect_environment(Session& session, const Placement& placement);

/// ISO 8601 in UTC, for people ("2026-11-29T22:41:36Z") and for file names ("20261129T224136Z").
std::string utc_now();
std::string utc_now_for_file_name();

}  // namespace mgbench

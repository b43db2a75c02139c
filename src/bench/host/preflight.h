#pragma once

#include <string>
#include <vector>

#include "bench/command.h"
#include "bench/host/placement.h"

namespace mgbench {

/// What was found before the run, on rank 0.
struct Preflight {
  std::string layout;                ///< "2 ranks on 1 host, 1 thread each, bound to 0 | 1"
  std::vector<std::string> remarks;  ///< what is unusual, where, and what to do
};

/// Layout of ranks, cores and binding, thread level, memory of each host against `memory_per_rank`, a small
/// checked allreduce. Throws Error when the run cannot work. Collective.
Preflight run_preflight(Session& session, const Placement& placement, Bytes memory_per_rank);

}  // namespace mgbench

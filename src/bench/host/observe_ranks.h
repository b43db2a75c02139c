#pragma once

#include <string>

#include "bench/mpi/process_group.h"
#include "bench/training/rounds.h"
#include "report/rank_times.h"

namespace mgbench {

/// Each rank's time from the begin of an iteration to the end of backward under the contestant's schedule, over rounds,
/// compared with the others'. Three numbers a rank are gathered, and the hosts of the slowest ten. Complete
/// on rank 0. Collective; each rank passes its `host`.
RankTimes observe_ranks(ProcessGroup& group, const Contestant& contestant, const std::string& host);

}  // namespace mgbench

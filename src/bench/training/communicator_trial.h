#pragma once

#include <cstdint>
#include <string>

#include "bench/communicator.h"
#include "bench/mpi/process_group.h"
#include "bench/terminal/progress.h"
#include "planner/merge_plan.h"
#include "report/communicator_choice.h"

namespace mgbench {

struct CommunicatorTrial {
  Seconds budget = 0;
  std::uint64_t seed = 1;
  Device* device = nullptr;  ///< in whose memory the network's gradients lie; null: in the host's
};

/// Iterations of `network` under `schedule` through every registered communicator that can be used here, carries such
/// gradients and does not emulate, beside iterations without messages and messages without iterations, in rounds whose
/// order is shuffled; one round is always run, and more as long as they fit the budget. Takes the best: the same on
/// every rank. The network's state is put back. `probe` says what the iterations are ("under a probe schedule"). Throws
/// Error when no communicator can be used. Collective.
CommunicatorChoice try_communicators(ProcessGroup& group, Network& network, const Schedule& schedule,
                                     const std::string& probe, const CommunicatorTrial& trial, Progress& progress);

}  // namespace mgbench

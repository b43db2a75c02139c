#pragma once

#include "bench/communicator_trial.h"

namespace mgbench {

/// What `--communicator auto` stands for when `network` is trained: tried by its real iterations under the probe
/// schedule. Collective.
CommunicatorChoice choose_communicator(ProcessGroup& group, Network& network, const CommunicatorTrial& trial,
                                       Progress& progress);

/// The same where there is no network: beside arithmetic on `threads` threads that lasts as long as an allreduce of 4
/// MiB. Collective.
CommunicatorChoice choose_communicator(ProcessGroup& group, int threads, const CommunicatorTrial& trial,
                                       Progress& progress);

}  // namespace mgbench

#pragma once

#include "bench/training/communicator_trial.h"

namespace mgbench {

/// What `--communicator auto` stands for: tried beside arithmetic on `threads` threads that lasts as long as an
/// allreduce of 4 MiB. Collective.
CommunicatorChoice choose_communicator(ProcessGroup& group, int threads, const CommunicatorTrial& trial,
                                       Progress& progress);

/// The same where `network` is trained: by its real iterations under the probe schedule if a round of them fits the
/// budget by a first estimate, or if its gradients lie in a device's memory, else as above. Collective.
CommunicatorChoice choose_communicator(ProcessGroup& group, Network& network, int threads,
                                       const CommunicatorTrial& trial, Progress& progress);

}  // namespace mgbench

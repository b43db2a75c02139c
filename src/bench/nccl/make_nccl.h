#pragma once

#include <memory>

#include "bench/gpu/stream_allreduce.h"
#include "bench/mpi/process_group.h"

namespace mgbench {

/// NCCL's sums over the ranks of `group`, over which the communicator's id travels. Collective.
std::unique_ptr<StreamAllreduce> make_nccl(ProcessGroup& group);

}  // namespace mgbench

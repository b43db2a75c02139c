#pragma once

#include <memory>

#include "bench/gpu/stream_allreduce.h"
#include "bench/mpi/process_group.h"

namespace mgbench {

/// This rank's in a communicator of the ranks of `group`, over which its id travels. Collective.
NcclPlace nccl_place(ProcessGroup& group);

/// NCCL's sums over the ranks of `group`. Collective.
std::unique_ptr<StreamAllreduce> make_nccl(ProcessGroup& group);

}  // namespace mgbench

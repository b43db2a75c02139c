#include "bench/nccl/make_nccl.h"

#include "bench/gpu/module.h"

namespace mgbench {

NcclPlace nccl_place(ProcessGroup& group) {
  NcclPlace place{.id = group.is_root() ? gpu_module().nccl_id() : "", .ranks = group.size(), .rank = group.rank()};
  group.broadcast(place.id);
  return place;
}

std::unique_ptr<StreamAllreduce> make_nccl(ProcessGroup& group) {
  return gpu_module().join_nccl(nccl_place(group));
}

}  // namespace mgbench

#pragma once

#include <nccl.h>

#include "bench/cuda/cuda_device.h"
#include "bench/gpu/stream_allreduce.h"

namespace mgbench::cuda {

/// Bytes of a fresh ncclUniqueId.
std::string nccl_id();

/// ncclAllReduce over the ranks of a communicator.
class NcclAllreduce final : public StreamAllreduce {
 public:
  /// Collective.
  NcclAllreduce(CudaDevice& device, const NcclPlace& place);
  /// Collective, but for an exception on its way: then what is in flight is given up.
  ~NcclAllreduce() override;
  NcclAllreduce(const NcclAllreduce&) = delete;
  NcclAllreduce& operator=(const NcclAllreduce&) = delete;

  void enqueue(Stream stream, const GradientView& gradients) override;
  void health() override;

 private:
  CudaDevice& device_;
  ncclComm_t communicator_ = nullptr;
  int exceptions_;  ///< in flight at construction
};

}  // namespace mgbench::cuda

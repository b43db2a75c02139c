#pragma once

#include <string>

#include "bench/gpu/device.h"

namespace mgbench {

/// Sums over all ranks that a device's stream carries out: NCCL's.
class StreamAllreduce {
 public:
  virtual ~StreamAllreduce() = default;
  /// Sums `gradients` in place, in the stream's order; returns at once. Allocates nothing.
  virtual void enqueue(Stream stream, const GradientView& gradients) = 0;
  /// Throws Error(not_measured) where what is in flight will not end.
  virtual void health() = 0;
};

/// A rank of a communicator of NCCL's.
struct NcclPlace {
  std::string id;  ///< bytes, the same on all its ranks
  int ranks = 1;
  int rank = 0;
};

}  // namespace mgbench

#pragma once

#include <algorithm>
#include <memory>

#include "bench/cuda/cuda_device.h"

namespace mgbench::cuda {

/// Scratch memory that convolutions share, since one stream runs them one after another. As large as may be while
/// algorithms are tried, then as large as the chosen ones need.
class Workspace {
 public:
  Workspace(CudaDevice& device, Bytes limit) : device_(device), memory_(device.allocate(limit)), bytes_(limit) {}

  void* data() const { return memory_.get(); }
  Bytes bytes() const { return bytes_; }

  void need(Bytes bytes) { needed_ = std::max(needed_, bytes); }
  /// No call that uses it is in flight.
  void shrink() {
    memory_ = nullptr;
    bytes_ = std::max(needed_, Bytes{1});
    memory_ = device_.allocate(bytes_);
  }

 private:
  CudaDevice& device_;
  std::shared_ptr<void> memory_;
  Bytes bytes_;
  Bytes needed_ = 0;
};

}  // namespace mgbench::cuda

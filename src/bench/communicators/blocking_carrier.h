#pragma once

#include "bench/communicators/carrier.h"
#include "bench/mpi/process_group.h"

namespace mgbench {

/// MPI_Allreduce. Most MPIs spin in it, on the computation's core if the ranks fill the cores.
class BlockingCarrier final : public Carrier {
 public:
  /// Collective: duplicates the group's communicator, so that control and data never mix. In a device's memory only
  /// where MPI takes its addresses.
  explicit BlockingCarrier(const ProcessGroup& group, MemorySpace space = MemorySpace::host)
      : group_(group.handle()), space_(space) {}

  MemorySpace space() const override { return space_; }
  void carry(const GradientView& gradients, MessageTimes& times) override;

 private:
  ProcessGroup group_;
  MemorySpace space_;
};

}  // namespace mgbench

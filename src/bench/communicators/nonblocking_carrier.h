#pragma once

#include "bench/clock.h"
#include "bench/communicators/carrier.h"
#include "bench/mpi/process_group.h"

namespace mgbench {

/// MPI_Iallreduce, then tests with sleep in between.
class NonblockingCarrier final : public Carrier {
 public:
  /// Collective: duplicates the group's communicator, so that control and data never mix.
  NonblockingCarrier(const ProcessGroup& group, Clock& clock) : group_(group.handle()), clock_(clock) {}
  void carry(const GradientView& gradients, MessageTimes& times) override;

 private:
  ProcessGroup group_;
  Clock& clock_;
};

}  // namespace mgbench

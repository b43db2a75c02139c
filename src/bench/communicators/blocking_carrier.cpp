#include "bench/communicators/blocking_carrier.h"

#include "bench/communicators/mpi_chunks.h"
#include "bench/watch/activity.h"

namespace mgbench {

void BlockingCarrier::carry(const GradientView& gradients, MessageTimes&) {
  for_each_chunk(gradients.count, [&](std::size_t offset, int count) {
    activity().pass();
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, static_cast<float*>(gradients.data) + offset, count, MPI_FLOAT, MPI_SUM,
                            group_.handle()),
              "MPI_Allreduce");
  });
}

}  // namespace mgbench

#include "bench/communicators/nonblocking_carrier.h"

#include "bench/communicators/iallreduce_algorithm.h"
#include "bench/communicators/mpi_chunks.h"
#include "bench/communicators/wait_asleep.h"
#include "bench/watch/activity.h"

namespace mgbench {

void NonblockingCarrier::carry(const GradientView& gradients, MessageTimes&) {
  select_iallreduce_algorithm(group_.size(), static_cast<Bytes>(gradients.count * sizeof(float)));
  for_each_chunk(gradients.count, [&](std::size_t offset, int count) {
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Iallreduce(MPI_IN_PLACE, static_cast<float*>(gradients.data) + offset, count, MPI_FLOAT, MPI_SUM,
                             group_.handle(), &request),
              "MPI_Iallreduce");
    activity().pass();
    wait_asleep(request, clock_);
  });
}

}  // namespace mgbench

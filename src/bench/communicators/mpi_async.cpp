#include "bench/communicators/background_communicator.h"
#include "bench/communicators/nonblocking_carrier.h"
#include "bench/mpi_session.h"

namespace mgbench {

namespace communicators_entries {

CommunicatorEntry mpi_async() {
  return {.name = "mpi-async",
          .summary = "MPI_Iallreduce, tested by a helper thread that sleeps in between",
          .unavailable = helper_thread_obstacle,
          .make = [](const CommunicatorRequest& request) -> std::unique_ptr<Communicator> {
            require_helper_thread();
            return std::make_unique<BackgroundCommunicator>(
                *request.clock, std::make_unique<NonblockingCarrier>(*request.group, *request.clock));
          }};
}

}  // namespace communicators_entries
}  // namespace mgbench

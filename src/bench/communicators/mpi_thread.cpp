#include "bench/communicators/background_communicator.h"
#include "bench/communicators/blocking_carrier.h"
#include "bench/mpi/mpi_session.h"

namespace mgbench::communicators_entries {

CommunicatorEntry mpi_thread() {
  return {.name = "mpi-thread",
          .summary = "blocking MPI_Allreduce in a helper thread",
          .explanation =
              "An end is noticed at once. Costs a core as long as a message lasts, since most libraries spin. Best "
              "where a rank has a core to spare.",
          .unavailable = helper_thread_obstacle,
          .make = [](const CommunicatorRequest& request) -> std::unique_ptr<Communicator> {
            require_helper_thread();
            return std::make_unique<BackgroundCommunicator>(*request.clock,
                                                            std::make_unique<BlockingCarrier>(*request.group));
          }};
}

}  // namespace mgbench::communicators_entries

#include "bench/communicators/background_communicator.h"
#include "bench/communicators/nonblocking_carrier.h"
#include "bench/mpi/mpi_session.h"

namespace mgbench {

namespace communicators_entries {

CommunicatorEntry mpi_async() {
  return {.name = "mpi-async",
          .summary = "MPI_Iallreduce, tested by a helper thread that sleeps in between",
          .explanation =
              "A message is moved on at each test, and its end noticed there: sleeps grow up to 200 us. Costs "
              "awakenings, no core. Best where computation fills all cores and messages need somebody to move them on.",
          .unavailable = helper_thread_obstacle,
          .make = [](const CommunicatorRequest& request) -> std::unique_ptr<Communicator> {
            require_helper_thread();
            return std::make_unique<BackgroundCommunicator>(
                *request.clock, std::make_unique<NonblockingCarrier>(*request.group, *request.clock));
          }};
}

}  // namespace communicators_entries
}  // namespace mgbench

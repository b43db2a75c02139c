#include "bench/communicators/polling_communicator.h"

namespace mgbench::communicators_entries {

CommunicatorEntry mpi_poll() {
  return {.name = "mpi-poll",
          .summary = "MPI_Iallreduce, tested by the computing thread between backward steps",
          .unavailable = [] { return std::string(); },
          .make = [](const CommunicatorRequest& request) -> std::unique_ptr<Communicator> {
            return std::make_unique<PollingCommunicator>(*request.group, *request.clock);
          }};
}

}  // namespace mgbench::communicators_entries

#include "bench/communicators/polling_communicator.h"

namespace mgbench::communicators_entries {

CommunicatorEntry mpi_poll() {
  return {
      .name = "mpi-poll",
      .summary = "MPI_Iallreduce, tested by the computing thread between backward steps",
      .explanation =
          "An end is noticed after the step in which it came; within a step nothing is moved on unless the library "
          "or the hardware does it. Costs nothing beside the messages themselves. Best where steps are short or the "
          "hardware works by itself.",
      .unavailable = [] { return std::string(); },
      .make = [](const CommunicatorRequest& request) -> std::unique_ptr<Communicator> {
        return std::make_unique<PollingCommunicator>(*request.group, *request.clock);
      }};
}

}  // namespace mgbench::communicators_entries

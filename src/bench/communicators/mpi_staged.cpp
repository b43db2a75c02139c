#include "bench/communicators/background_communicator.h"
#include "bench/communicators/gpu_requirements.h"
#include "bench/communicators/nonblocking_carrier.h"
#include "bench/communicators/staged_carrier.h"
#include "bench/mpi/mpi_session.h"

namespace mgbench::communicators_entries {

CommunicatorEntry mpi_staged() {
  return {.name = "mpi-staged",
          .summary = "a GPU's gradients through the host's memory: copies beside MPI_Iallreduce in a helper thread",
          .explanation =
              "Copies to the host and back go on beside messages and computation, on streams of their own; sums are "
              "the host's, as are conversions of half types. Costs both copies. Works with every MPI.",
          .unavailable =
              [] {
                return first_obstacle({gpu_obstacle, helper_thread_obstacle});
              },
          .make = [](const CommunicatorRequest& request) -> std::unique_ptr<Communicator> {
            require_device(request, "mpi-staged");
            require_helper_thread();
            return std::make_unique<BackgroundCommunicator>(
                *request.clock,
                std::make_unique<StagedCarrier>(*request.device, request.arena, request.type,
                                                std::make_unique<NonblockingCarrier>(*request.group, *request.clock)));
          },
          .host = false,
          .device = true,
          .halves = true};
}

}  // namespace mgbench::communicators_entries

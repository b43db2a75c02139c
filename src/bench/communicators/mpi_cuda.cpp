#include "bench/communicators/awaiting_carrier.h"
#include "bench/communicators/background_communicator.h"
#include "bench/communicators/blocking_carrier.h"
#include "bench/communicators/cuda_aware_mpi.h"
#include "bench/communicators/gpu_requirements.h"
#include "bench/mpi/mpi_session.h"

namespace mgbench::communicators_entries {

/// Not MPI_Iallreduce: Open MPI sums in a device's memory only in its blocking calls.
CommunicatorEntry mpi_cuda() {
  return {.name = "mpi-cuda",
          .summary = "blocking MPI_Allreduce of a CUDA-aware MPI on a GPU's memory, in a helper thread (float32 only)",
          .explanation =
              "An end is noticed at once. Costs a core as long as a message lasts, and none of the GPU's processors "
              "where the hardware reads its memory. Best where MPI reaches the GPUs' memory and NCCL is not there.",
          .unavailable =
              [] {
                return first_obstacle({gpu_obstacle, helper_thread_obstacle, cuda_aware_obstacle});
              },
          .make = [](const CommunicatorRequest& request) -> std::unique_ptr<Communicator> {
            require_device(request, "mpi-cuda");
            require_helper_thread();
            return std::make_unique<BackgroundCommunicator>(
                *request.clock, std::make_unique<AwaitingCarrier>(
                                    *request.device, *request.clock,
                                    std::make_unique<BlockingCarrier>(*request.group, MemorySpace::device)));
          },
          .host = false,
          .device = true};
}

}  // namespace mgbench::communicators_entries

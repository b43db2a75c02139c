#include "bench/communicators/gpu_requirements.h"
#include "bench/gpu/stream_communicator.h"
#include "bench/nccl/ask_nccl.h"
#include "bench/nccl/make_nccl.h"

namespace mgbench::communicators_entries {

CommunicatorEntry nccl() {
  return {.name = "nccl",
          .summary = "NCCL on a stream of its own, each message after its gradients' event, without the host",
          .explanation =
              "An end is an event of the stream: the host waits for none, and sees them when the iteration is over. "
              "Its kernels take some of the GPU's processors while messages last. Best wherever it can be used; sums "
              "half types, too. Results tell which of its algorithms it took at which sizes.",
          .unavailable = gpu_obstacle,
          .make = [](const CommunicatorRequest& request) -> std::unique_ptr<Communicator> {
            require_device(request, "nccl");
            return std::make_unique<StreamCommunicator>(*request.device, *request.clock, make_nccl(*request.group));
          },
          .host = false,
          .device = true,
          .halves = true,
          .captures = true,
          .library = make_nccl,
          .facts = ask_nccl_for_facts};
}

}  // namespace mgbench::communicators_entries

#include "bench/gpu/module.h"
#include "bench/outline.h"

namespace mgbench::backends_entries {

BackendEntry cudnn() {
  return {.name = "cudnn",
          .summary = "an NVIDIA GPU, through cuDNN and cuBLAS",
          .library = [] { return gpu_module().library; },
          .unavailable = [] { return gpu_module().obstacle; },
          .memory =
              [](const NetworkRequest& request) {
                require_computable(request, "cudnn");
                return gpu_module().network_memory(request);
              },
          .make = [](const NetworkRequest& request) -> std::unique_ptr<Network> {
            require_computable(request, "cudnn");
            return gpu_module().make_network(request);
          },
          .device = []() -> Device& { return gpu_module().device(); }};
}

}  // namespace mgbench::backends_entries

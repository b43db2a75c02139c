#include "bench/backends/outline.h"
#include "bench/gpu/module.h"

namespace mgbench::backends_entries {
namespace {

/// What CUDA's libraries take of the host's memory, about; the device's is checked when the network is made.
constexpr Bytes kHostMemory = Bytes{2} << 30;

}  // namespace

BackendEntry cudnn() {
  return {.name = "cudnn",
          .summary = "an NVIDIA GPU, through cuDNN and cuBLAS",
          .explanation =
              "One GPU a rank, in --precision fp32, tf32, fp16 or bf16, with gradients in the type of --gradients, and "
              "activations in the --layout that is measured to be faster. "
              "Its libraries are loaded when it is asked for; 'mgbench list' says what is missing.",
          .library = [] { return gpu_module().library; },
          .unavailable = [] { return gpu_module().obstacle; },
          .memory =
              [](const NetworkRequest& request) {
                require_computable(request, "cudnn");
                return kHostMemory;
              },
          .make = [](const NetworkRequest& request) -> std::unique_ptr<Network> {
            require_computable(request, "cudnn");
            return gpu_module().make_network(request);
          },
          .device = []() -> Device& { return gpu_module().device(); },
          .claim_device = [](ProcessGroup& group) { return gpu_module().claim_device(group); },
          .precisions = {Precision::fp32, Precision::tf32, Precision::fp16, Precision::bf16},
          .layouts = {Layout::channels_first, Layout::channels_last},
          .captures = true};
}

}  // namespace mgbench::backends_entries

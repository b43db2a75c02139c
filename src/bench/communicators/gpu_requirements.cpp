#include "bench/communicators/gpu_requirements.h"

#include "bench/gpu/module.h"

namespace mgbench {

std::string gpu_obstacle() {
  return gpu_module().obstacle;
}

std::string first_obstacle(std::initializer_list<std::string (*)()> obstacles) {
  for (const auto obstacle : obstacles)
    if (std::string reason = obstacle(); !reason.empty()) return reason;
  return "";
}

void require_device(const CommunicatorRequest& request, const char* communicator) {
  require(request.device != nullptr, "the communicator '{}' sends from a GPU's memory, and gradients lie in the host's",
          communicator);
}

}  // namespace mgbench

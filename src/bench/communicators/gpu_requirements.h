#pragma once

#include <initializer_list>
#include <string>

#include "bench/communicator.h"

namespace mgbench {

/// Why no GPU can be used here; empty when one can.
std::string gpu_obstacle();

/// What the first of them that is not empty says.
std::string first_obstacle(std::initializer_list<std::string (*)()> obstacles);

/// Throws Error(bad_input) for a request of gradients in the host's memory.
void require_device(const CommunicatorRequest& request, const char* communicator);

}  // namespace mgbench

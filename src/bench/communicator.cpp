#include "bench/communicator.h"

namespace mgbench {

GradientArena gradient_arena(Network& network, Device* device) {
  const Bytes bytes = network.outline().bytes();
  return {.bytes = bytes, .type = network.gradients({0, bytes}).type, .device = device};
}

}  // namespace mgbench

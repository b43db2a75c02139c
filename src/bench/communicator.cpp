#include "bench/communicator.h"

#include <algorithm>

namespace mgbench {

GradientArena gradient_arena(Network& network, Device* device) {
  const Bytes bytes = network.outline().bytes();
  return {.bytes = bytes, .type = network.gradients({0, bytes}).type, .device = device};
}

std::string misfit(const CommunicatorEntry& entry, MemorySpace space, ElementType type) {
  if (space == MemorySpace::device && !entry.device) return "it sends from the host's memory only";
  if (space == MemorySpace::host && !entry.host) return "it sends from a GPU's memory only";
  if (type != ElementType::float32 && !entry.halves)
    return fmt::format("it sums float32 only, and gradients are {}: MPI has no half types", name_of(type));
  return "";
}

const CommunicatorEntry& capturing_communicator() {
  const Registry<CommunicatorEntry>& all = communicators();
  return *std::find_if(all.begin(), all.end(), [](const CommunicatorEntry& entry) { return entry.captures; });
}

std::vector<const CommunicatorEntry*> fitting_communicators(MemorySpace space, ElementType type) {
  std::vector<const CommunicatorEntry*> result;
  for (const CommunicatorEntry& entry : communicators())
    if (!entry.emulates && misfit(entry, space, type).empty()) result.push_back(&entry);
  return result;
}

}  // namespace mgbench

#include "bench/cuda/claim_device.h"

#include <array>

#include "bench/cuda/check.h"

namespace mgbench::cuda {
namespace {

std::optional<RankDevice> claimed;

std::string bus_id(int device) {
  std::array<char, 32> text{};
  check(cudaDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()), device), "cudaDeviceGetPCIBusId");
  return text.data();
}

}  // namespace

int visible_devices() {
  int devices = 0;
  check(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
  return devices;
}

int claimed_device() {
  return claimed ? static_cast<int>(claimed->index) : 0;
}

void take_device(int device) {
  claimed = {.index = static_cast<std::size_t>(device), .bus_id = bus_id(device), .distance = std::nullopt};
}

const RankDevice& claim_device(ProcessGroup& group) {
  if (claimed) return *claimed;
  std::vector<std::string> seen;
  for (int device = 0; device < visible_devices(); ++device) seen.push_back(bus_id(device));
  return claimed.emplace(choose_device(group, seen));
}

}  // namespace mgbench::cuda

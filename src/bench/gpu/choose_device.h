#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bench/host/device_distance.h"
#include "bench/mpi/process_group.h"

namespace mgbench {

/// The device of a rank.
struct RankDevice {
  std::size_t index = 0;  ///< of those that it sees
  std::string bus_id;
  std::optional<DeviceDistance> distance;  ///< from the processors that the rank is bound to
};

/// "GPU 0000:3b:00.0 at the same NUMA node"
std::string describe(const RankDevice& device);

/// Which of the devices that this rank sees, by their bus ids, is its own: those of a host's ranks lie as near to their
/// processors as assign_devices() can make it. Collective. Throws Error(bad_input) on all ranks where two would share
/// one.
RankDevice choose_device(ProcessGroup& group, const std::vector<std::string>& seen);

}  // namespace mgbench

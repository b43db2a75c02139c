#pragma once

#include <optional>
#include <string>
#include <vector>

namespace mgbench {

/// How far a device lies from the processors that a process is bound to.
enum class DeviceDistance { same_numa_node, same_package, other_package };

/// "the same NUMA node", ...
const char* name_of(DeviceDistance distance);

/// From this process to each of the PCI devices ("0000:3b:00.0"), by hwloc; none where the machine does not tell. A
/// process that may run beside several NUMA nodes is as near as the nearest.
std::vector<std::optional<DeviceDistance>> distances_to_devices(const std::vector<std::string>& bus_ids);

}  // namespace mgbench

#include "bench/host/device_distance.h"

#include <algorithm>

#include "bench/host/topology.h"

namespace mgbench {
namespace {

bool share_a_package(const Topology& topology, hwloc_const_cpuset_t left, hwloc_const_cpuset_t right) {
  for (hwloc_obj_t package = nullptr;
       (package = hwloc_get_next_obj_by_type(topology.handle(), HWLOC_OBJ_PACKAGE, package)) != nullptr;)
    if (hwloc_bitmap_intersects(package->cpuset, left) != 0 && hwloc_bitmap_intersects(package->cpuset, right) != 0)
      return true;
  return false;
}

std::optional<DeviceDistance> distance(const Topology& topology, const Bitmap& bound, const std::string& bus_id) {
  const hwloc_obj_t device = hwloc_get_pcidev_by_busidstring(topology.handle(), bus_id.c_str());
  if (device == nullptr) return std::nullopt;
  const hwloc_obj_t place = hwloc_get_non_io_ancestor_obj(topology.handle(), device);
  // Firmware that does not say where a device is leaves it beside everything.
  const bool anywhere = place == hwloc_get_root_obj(topology.handle());
  if (anywhere && hwloc_get_nbobjs_by_type(topology.handle(), HWLOC_OBJ_NUMANODE) > 1) return std::nullopt;
  if (hwloc_bitmap_intersects(place->cpuset, bound.get()) != 0) return DeviceDistance::same_numa_node;
  return share_a_package(topology, place->cpuset, bound.get()) ? DeviceDistance::same_package
                                                               : DeviceDistance::other_package;
}

}  // namespace

const char* name_of(DeviceDistance distance) {
  if (distance == DeviceDistance::same_numa_node) return "the same NUMA node";
  return distance == DeviceDistance::same_package ? "the same package" : "another package";
}

std::vector<std::optional<DeviceDistance>> distances_to_devices(const std::vector<std::string>& bus_ids) {
  const Topology topology(Topology::Devices::included);
  const Bitmap bound = topology.bound();
  std::vector<std::optional<DeviceDistance>> distances;
  for (const std::string& bus_id : bus_ids) distances.push_back(distance(topology, bound, bus_id));
  return distances;
}

}  // namespace mgbench

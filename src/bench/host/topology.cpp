#include "bench/host/topology.h"

#include <algorithm>

#include "base/error.h"

namespace mgbench {

Topology::Topology(Devices devices) {
  // Of the PCI bus alone: to name devices as the system does, plugins would start OpenCL and more.
  const auto pci = devices == Devices::included ? HWLOC_TYPE_FILTER_KEEP_IMPORTANT : HWLOC_TYPE_FILTER_KEEP_NONE;
  const bool ok = hwloc_topology_init(&topology_) == 0 &&
                  hwloc_topology_set_type_filter(topology_, HWLOC_OBJ_PCI_DEVICE, pci) == 0 &&
                  hwloc_topology_set_type_filter(topology_, HWLOC_OBJ_BRIDGE, pci) == 0 &&
                  hwloc_topology_load(topology_) == 0;
  if (!ok) fail(ExitCode::not_measured, "hwloc cannot read this machine's topology");
}

Bitmap Topology::bound() const {
  Bitmap set(hwloc_bitmap_alloc());
  if (hwloc_get_cpubind(topology_, set.get(), HWLOC_CPUBIND_PROCESS) != 0) return allowed();
  hwloc_bitmap_and(set.get(), set.get(), hwloc_topology_get_allowed_cpuset(topology_));
  return set;
}

int Topology::count(hwloc_obj_type_t type, const Bitmap& set) const {
  int objects = 0;
  for (hwloc_obj_t object = nullptr; (object = hwloc_get_next_obj_by_type(topology_, type, object)) != nullptr;)
    if (hwloc_bitmap_intersects(object->cpuset, set.get())) ++objects;
  return std::max(objects, 1);
}

std::string Topology::cpu_model() const {
  const hwloc_obj_t package = hwloc_get_obj_by_type(topology_, HWLOC_OBJ_PACKAGE, 0);
  const char* model = package != nullptr ? hwloc_obj_get_info_by_name(package, "CPUModel") : nullptr;
  return model != nullptr ? model : "unknown";
}

}  // namespace mgbench

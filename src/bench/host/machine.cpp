#include "bench/host/machine.h"

#include <hwloc.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>

#include "base/error.h"

namespace mgbench {
namespace {

struct FreeBitmap {
  void operator()(hwloc_bitmap_t bitmap) const { hwloc_bitmap_free(bitmap); }
};
using Bitmap = std::unique_ptr<hwloc_bitmap_s, FreeBitmap>;

class Topology {
 public:
  Topology() {
    const bool ok = hwloc_topology_init(&topology_) == 0 && hwloc_topology_load(topology_) == 0;
    if (!ok) fail(ExitCode::not_measured, "hwloc cannot read this machine's topology");
  }
  ~Topology() { hwloc_topology_destroy(topology_); }
  Topology(const Topology&) = delete;
  Topology& operator=(const Topology&) = delete;

  Bitmap allowed() const { return Bitmap(hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(topology_))); }

  Bitmap bound() const {
    Bitmap set(hwloc_bitmap_alloc());
    if (hwloc_get_cpubind(topology_, set.get(), HWLOC_CPUBIND_PROCESS) != 0) return allowed();
    hwloc_bitmap_and(set.get(), set.get(), hwloc_topology_get_allowed_cpuset(topology_));
    return set;
  }

  int count(hwloc_obj_type_t type, const Bitmap& set) const {
    int objects = 0;
    for (hwloc_obj_t object = nullptr; (object = hwloc_get_next_obj_by_type(topology_, type, object)) != nullptr;)
      if (hwloc_bitmap_intersects(object->cpuset, set.get())) ++objects;
    return std::max(objects, 1);
  }

  std::string cpu_model() const {
    const hwloc_obj_t package = hwloc_get_obj_by_type(topology_, HWLOC_OBJ_PACKAGE, 0);
    const char* model = package != nullptr ? hwloc_obj_get_info_by_name(package, "CPUModel") : nullptr;
    return model != nullptr ? model : "unknown";
  }

 private:
  hwloc_topology_t topology_ = nullptr;
};

/// MemAvailable, less where the control group of the job allows less.
Bytes available_memory() {
  Bytes available = 0;
  std::ifstream meminfo("/proc/meminfo");
  for (std::string key, unit; meminfo >> key;) {
    Bytes kibibytes = 0;
    meminfo >> kibibytes;
    std::getline(meminfo, unit);
    if (key == "MemAvailable:") available = kibibytes * 1024;
  }
  Bytes limit = 0;
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> limit) available = std::min(available, limit);
  return available;
}

}  // namespace

std::string host_name() {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  return host.data();
}

Machine describe_machine() {
  const Topology topology;
  const Bitmap allowed = topology.bound();
  utsname system{};
  uname(&system);
  return {.host = host_name(),
          .cpu = topology.cpu_model(),
          .kernel = fmt::format("{} {}", system.sysname, system.release),
          .cores = topology.count(HWLOC_OBJ_CORE, allowed),
          .numa_domains = topology.count(HWLOC_OBJ_NUMANODE, allowed),
          .memory_available = available_memory()};
}

std::string current_binding() {
  const Topology topology;
  std::array<char, 4096> text{};
  hwloc_bitmap_list_snprintf(text.data(), text.size(), topology.bound().get());
  return text.data();
}

int bound_cores() {
  const Topology topology;
  return topology.count(HWLOC_OBJ_CORE, topology.bound());
}

bool bindings_overlap(const std::string& left, const std::string& right) {
  const Bitmap first(hwloc_bitmap_alloc());
  const Bitmap second(hwloc_bitmap_alloc());
  hwloc_bitmap_list_sscanf(first.get(), left.c_str());
  hwloc_bitmap_list_sscanf(second.get(), right.c_str());
  return hwloc_bitmap_intersects(first.get(), second.get()) != 0;
}

}  // namespace mgbench

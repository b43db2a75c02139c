#include "bench/host/machine.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "base/error.h"
#include "bench/host/topology.h"

namespace mgbench {
namespace {

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

#pragma once

#include <hwloc.h>

#include <memory>
#include <string>

namespace mgbench {

struct FreeBitmap {
  void operator()(hwloc_bitmap_t bitmap) const { hwloc_bitmap_free(bitmap); }
};
using Bitmap = std::unique_ptr<hwloc_bitmap_s, FreeBitmap>;

/// This machine as hwloc sees it now.
class Topology {
 public:
  enum class Devices { left_out, included };

  /// Looking for PCI devices takes longer. Throws Error(not_measured) where there is no topology.
  explicit Topology(Devices devices = Devices::left_out);
  ~Topology() { hwloc_topology_destroy(topology_); }
  Topology(const Topology&) = delete;
  Topology& operator=(const Topology&) = delete;

  hwloc_topology_t handle() const { return topology_; }

  /// Processors that this process may use, and those that it is bound to.
  Bitmap allowed() const { return Bitmap(hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(topology_))); }
  Bitmap bound() const;

  /// Objects of `type` with a processor of `set`, at least 1.
  int count(hwloc_obj_type_t type, const Bitmap& set) const;

  /// "unknown" where the machine does not tell.
  std::string cpu_model() const;

 private:
  hwloc_topology_t topology_ = nullptr;
};

}  // namespace mgbench

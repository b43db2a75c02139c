#pragma once

#include <string>

#include "base/units.h"

namespace mgbench {

/// What the operating system lets this process use, by hwloc.
struct Machine {
  std::string host;
  std::string cpu;  ///< model name
  std::string kernel;
  int cores = 1;         ///< physical cores with at least one allowed hardware thread
  int numa_domains = 1;  ///< with at least one such core
  Bytes memory_available = 0;
};

/// Of this host, as the operating system says it.
std::string host_name();

/// Of the whole allowed set, before any launcher has bound the process.
Machine describe_machine();

/// The processors that this process is bound to now: "0-1" (operating system's numbers).
std::string current_binding();

/// Physical cores of the current binding.
int bound_cores();

/// Whether two bindings share a processor ("0-1" and "1,3" do).
bool bindings_overlap(const std::string& left, const std::string& right);

}  // namespace mgbench

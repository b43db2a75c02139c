#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/machine.h"

namespace mgbench {

/// How to lay ranks out on one host.
struct RankLayout {
  int ranks = 1;
  int cores_per_rank = 1;  ///< 0: more ranks than cores, nothing is bound
};

/// `wanted` ranks, or one a core up to 8, beyond that one a NUMA domain; no more than memory holds at
/// `memory_per_rank`. Throws Error when the memory does not hold the wanted number (or one).
RankLayout lay_out_ranks(const Machine& machine, std::optional<int> wanted, Bytes memory_per_rank);

/// The launcher's command line for that layout, for the MPI that mgbench is linked with.
std::vector<std::string> launcher_command(const RankLayout& layout, const std::vector<std::string>& program);

/// Prints the command line and becomes the launcher. Returns only by throwing Error.
[[noreturn]] void become_launcher(const std::vector<std::string>& command);

}  // namespace mgbench

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/mpi/process_group.h"

namespace mgbench {

/// Where this rank runs and what it shares its host with.
struct Placement {
  std::string host;
  std::string binding;        ///< "0-1": processors that it may use
  int host_ranks = 1;         ///< ranks on this host
  bool shares_cores = false;  ///< with another rank of this host
  int threads = 1;            ///< compute threads: `wanted`, or its cores (its part of them where ranks share them)
};

/// Collective. Pass `wanted` threads or nothing.
Placement place_rank(ProcessGroup& group, std::optional<int> wanted);

}  // namespace mgbench

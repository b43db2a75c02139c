#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/gpu/choose_device.h"

namespace mgbench {

/// Where this rank runs and what it shares its host with.
struct Placement {
  std::string host;
  std::string binding;        ///< "0-1": processors that it may use
  int host_ranks = 1;         ///< ranks on this host
  bool shares_cores = false;  ///< with another rank of this host
  int threads = 1;            ///< compute threads: `wanted`, or its cores (its part of them where ranks share them)
  std::optional<RankDevice> device;  ///< where it computes or sums on one
};

/// All but the device. Collective. Pass `wanted` threads or nothing.
Placement place_rank(ProcessGroup& group, std::optional<int> wanted);

/// Which ranks have a device at another package than their processors, and what helps; empty where none has, and on all
/// ranks but the first. Collective.
std::string far_devices_remark(ProcessGroup& group, const Placement& placement);

}  // namespace mgbench

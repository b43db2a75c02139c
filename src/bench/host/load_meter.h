#pragma once

#include <set>
#include <string>

#include "bench/host/placement.h"
#include "bench/mpi/process_group.h"
#include "report/machine_load.h"

namespace mgbench {

/// What else the job's hosts do between two points in time: on each host one rank reads /proc and /sys, outside
/// of anything that is timed.
class LoadMeter {
 public:
  /// Reads a first time. Collective.
  LoadMeter(ProcessGroup& group, const Placement& placement);

  /// What happened since. None where no host tells. Complete on rank 0. Collective.
  std::optional<MachineLoad> read();

 private:
  HostReading read_host();

  ProcessGroup& group_;
  std::string host_;
  ProcessGroup neighbours_;   ///< the ranks of this host
  std::set<int> processors_;  ///< on which any of them may run; on the host's first rank
  HostReading begin_;
};

}  // namespace mgbench

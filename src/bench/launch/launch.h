#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/host/machine.h"
#include "bench/run_config.h"

namespace mgbench {

/// How to lay ranks out on one host.
struct RankLayout {
  int ranks = 1;
  int cores_per_rank = 1;  ///< 0: more ranks than cores, nothing is bound
};

/// One a core up to 8, beyond that one a NUMA domain.
int usual_ranks(const Machine& machine);

/// `wanted` ranks, or the usual number; no more than memory holds at `memory_per_rank`. Throws Error when the memory
/// does not hold the wanted number (or one).
RankLayout lay_out_ranks(const Machine& machine, std::optional<int> wanted, Bytes memory_per_rank);

/// The launcher's command line for that layout, for the MPI that mgbench is linked with.
std::vector<std::string> launcher_command(const RankLayout& layout, const std::vector<std::string>& program);

/// How the ranks of a command that no launcher has started come to be.
struct Launch {
  std::string where;                             ///< for people: "8 ranks on the 8 nodes of job 12, one a node"
  std::vector<std::string> command;              ///< of the launcher
  std::vector<std::string> trial;                ///< of the same launcher (launcher_trouble.h)
  std::map<std::string, std::string> variables;  ///< that it needs
};

/// On the nodes of the Slurm job around this process, else on this host alone. Throws Error for what cannot be had.
Launch plan_launch(const RunConfig& config, Bytes memory_per_rank, const std::vector<std::string>& program);

/// To the end (run_launcher.h); returns the exit code. Throws Error where it cannot be started.
int run(const Launch& launch);

}  // namespace mgbench

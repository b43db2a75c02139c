#pragma once

#include <optional>
#include <string>

#include "bench/launch/launcher.h"

namespace mgbench {

/// A Slurm allocation around a process that no launcher has started: a batch script, or a shell of salloc.
struct SlurmJob {
  std::string id;
  int nodes = 1;
  bool on_node = false;                   ///< this process runs on a node of the job: the shell of salloc may not
  int cpus_per_node = 1;                  ///< of the smallest node, as Slurm counts (often hardware threads)
  std::optional<int> ranks = {};          ///< of the whole job, where it was submitted with a number of tasks
  std::optional<int> cpus_per_rank = {};  ///< --cpus-per-task
  int gpus_per_node = 0;
};

/// Nothing outside of a job.
std::optional<SlurmJob> find_slurm_job(const EnvironmentLookup& environment);

/// GPUs of the node that has fewest, from what `scontrol show job --details` says of the job; nothing where it does not
/// say. The environment knows them of the node that this process runs on, and in a shell of salloc often not at all.
std::optional<int> gpus_of_every_node(const std::string& description);

}  // namespace mgbench

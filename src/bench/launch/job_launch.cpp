#include "bench/launch/job_launch.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "bench/launch/launch.h"

namespace mgbench {
namespace {

bool is_open_mpi(const std::string& library) {
  return library.starts_with("Open MPI");
}

/// Where neither the user nor the job says a number.
int usual_ranks_per_node(const SlurmJob& job, const Machine& machine, std::string& reason) {
  if (job.gpus_per_node > 0) {
    reason = "one a GPU";
    return job.gpus_per_node;
  }
  if (job.on_node && job.nodes == 1) {
    reason = "as without a job";
    return usual_ranks(machine);
  }
  const int domains = job.on_node ? machine.numa_domains : 1;
  reason = domains > 1 ? "one a NUMA domain" : "one a node";
  return domains;
}

}  // namespace

JobLayout lay_out_job(const SlurmJob& job, const Machine& machine, std::optional<int> ranks, std::optional<int> nodes) {
  require(nodes.value_or(1) <= job.nodes, "--nodes {}: job {} has {}", nodes.value_or(1), job.id, job.nodes);
  JobLayout layout{.nodes = nodes.value_or(job.nodes)};
  if (ranks) {
    layout.ranks = *ranks;
    layout.reason = "as -n says";
  } else if (job.ranks) {
    layout.ranks = std::max(nodes.value_or(1), *job.ranks * layout.nodes / job.nodes);
    layout.reason = "as the job's tasks";
  } else {
    layout.ranks = layout.nodes * usual_ranks_per_node(job, machine, layout.reason);
  }
  require(nodes.value_or(1) <= layout.ranks, "--nodes {}: {} rank{} cannot be on so many", nodes.value_or(1),
          layout.ranks, layout.ranks == 1 ? "" : "s");
  layout.nodes = std::min(layout.nodes, layout.ranks);
  layout.cpus_per_rank = job.cpus_per_rank.value_or(job.cpus_per_node / layout.ranks_per_node());
  layout.cores_per_rank = job.on_node ? machine.cores / layout.ranks_per_node() : 0;
  return layout;
}

std::string choose_job_launcher(const std::string& wanted, const std::string& mpi_library,
                                const std::string& srun_mpi_types) {
  if (wanted != "auto") return wanted;
  return is_open_mpi(mpi_library) && srun_mpi_types.find("pmix") != std::string::npos ? "srun" : "mpirun";
}

std::vector<std::string> srun_command(const JobLayout& layout, const std::string& mpi_library,
                                      const std::vector<std::string>& program) {
  std::vector<std::string> command{"srun", fmt::format("--nodes={}", layout.nodes),
                                   fmt::format("--ntasks={}", layout.ranks),
                                   fmt::format("--ntasks-per-node={}", layout.ranks_per_node()),
                                   // Without it srun waits for ever for those that wait for a dead one.
                                   "--kill-on-bad-exit=1"};
  // Since Slurm 22.05 a step does not take the job's --cpus-per-task over, and would bind each rank to one CPU.
  if (layout.cpus_per_rank > 0)
    command.insert(command.end(), {fmt::format("--cpus-per-task={}", layout.cpus_per_rank), "--cpu-bind=cores"});
  else
    command.insert(command.end(), {"--overcommit", "--cpu-bind=none"});
  // For another library what the site made the default is the best guess.
  if (is_open_mpi(mpi_library)) command.emplace_back("--mpi=pmix");
  command.insert(command.end(), program.begin(), program.end());
  return command;
}

std::vector<std::string> mpirun_command(const std::string& launcher, const JobLayout& layout,
                                        const std::string& mpi_library, const std::vector<std::string>& program) {
  std::vector<std::string> command{launcher};
  auto add = [&](std::initializer_list<std::string> words) { command.insert(command.end(), words); };
  const bool bound = layout.cores_per_rank > 0;
  if (is_open_mpi(mpi_library)) {
    add({"--quiet", "-n", std::to_string(layout.ranks)});
    if (bound)
      add({"--map-by", fmt::format("ppr:{}:node:PE={}", layout.ranks_per_node(), layout.cores_per_rank), "--bind-to",
           "core"});
    else
      add({"--map-by", fmt::format("ppr:{}:node", layout.ranks_per_node()), "--bind-to", "none"});
  } else {
    add({"-n", std::to_string(layout.ranks), "-ppn", std::to_string(layout.ranks_per_node())});
    if (bound) add({"-bind-to", fmt::format("core:{}", layout.cores_per_rank)});
  }
  command.insert(command.end(), program.begin(), program.end());
  return command;
}

}  // namespace mgbench

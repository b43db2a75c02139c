#include "bench/launch/launch.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "bench/gpu/module.h"
#include "bench/launch/bundle.h"
#include "bench/launch/job_launch.h"
#include "bench/launch/launcher_trouble.h"
#include "bench/launch/program_output.h"
#include "bench/launch/run_launcher.h"
#include "bench/launch/slurm_job.h"
#include "bench/mpi/mpi_session.h"
#include "bench/terminal/progress.h"
#include "bench/terminal/terminal.h"
#include "bench/training/workload.h"

namespace mgbench {
namespace {

constexpr int kMostRanksOnePerCore = 8;
constexpr const char* kTimeToEnd = "OMPI_MCA_odls_base_sigkill_timeout";

const char* plural(int count) {
  return count == 1 ? "" : "s";
}

/// The list of what `srun --mpi=` takes; empty where there is no Slurm.
std::string srun_mpi_types() {
  return program_output({"srun", "--mpi=list"});
}

/// Seconds from SIGTERM to SIGKILL, one by default: too few to agree on an end, or to find out who is dead.
void add_time_to_end(Launch& launch) {
  if (std::getenv(kTimeToEnd) == nullptr) launch.variables[kTimeToEnd] = "3";
}

Launch plan_in_job(SlurmJob job, const RunConfig& config, const std::vector<std::string>& program) {
  const std::string description = program_output({"scontrol", "show", "job", "--details", "--oneliner", job.id});
  job.gpus_per_node = gpus_of_every_node(description).value_or(job.gpus_per_node);
  const JobLayout layout = lay_out_job(job, describe_machine(), config.ranks, config.nodes);
  const bool bundled = !bundle_folder().empty();
  require(
      !bundled || layout.nodes == 1,
      "the MPI of this bundle serves one machine, and job {} would run on {}: build mgbench against the site's own MPI "
      "(docs/install.md), or take one node (--nodes 1)",
      job.id, layout.nodes);
  const std::string library = mpi_library_version();
  Launch launch{.where = fmt::format("{} rank{} on {} of {} node{} of job {}, {}", layout.ranks, plural(layout.ranks),
                                     layout.nodes, job.nodes, plural(job.nodes), job.id, layout.reason)};
  const std::string wanted = bundled && config.launcher == "auto" ? "mpirun" : config.launcher;
  if (choose_job_launcher(wanted, library, srun_mpi_types()) == "srun") {
    launch.command = srun_command(layout, library, program);
  } else {
    launch.command = mpirun_command(mpi_launcher(), layout, library, program);
    // Open MPI takes the quotient of the two for a node's slots, and starts no more ranks than that.
    launch.variables = {{"SLURM_TASKS_PER_NODE", fmt::format("{}(x{})", layout.ranks_per_node(), job.nodes)},
                        {"SLURM_CPUS_PER_TASK", "1"}};
    add_time_to_end(launch);
  }
  return launch;
}

Launch plan_on_host(const RunConfig& config, Bytes memory_per_rank, const std::vector<std::string>& program) {
  require(!config.nodes, "--nodes {}: there is no Slurm job around this command to take nodes of",
          config.nodes.value_or(1));
  require(config.launcher != "srun", "--launcher srun: there is no Slurm job around this command");
  const Machine machine = describe_machine();
  const bool one_a_gpu = !config.ranks && uses_gpus(config);
  const RankLayout layout =
      lay_out_ranks(machine, one_a_gpu ? std::optional(gpu_module().devices()) : config.ranks, memory_per_rank);
  const bool slurm = !srun_mpi_types().empty();
  Launch launch{.where = fmt::format("{} rank{} on {} alone{}{}", layout.ranks, plural(layout.ranks), machine.host,
                                     one_a_gpu ? ", one a GPU" : "",
                                     slurm ? ", which is in no Slurm job (sbatch and salloc make one)" : ""),
                .command = launcher_command(layout, program),
                .trial = {},
                .variables = {}};
  add_time_to_end(launch);
  return launch;
}

}  // namespace

int usual_ranks(const Machine& machine) {
  return machine.cores <= kMostRanksOnePerCore ? machine.cores : machine.numa_domains;
}

RankLayout lay_out_ranks(const Machine& machine, std::optional<int> wanted, Bytes memory_per_rank) {
  // The operating system and other users keep a tenth.
  const Bytes usable = machine.memory_available / 10 * 9;
  const auto fitting = static_cast<int>(std::min<Bytes>(usable / std::max<Bytes>(memory_per_rank, 1), 1 << 20));
  const int chosen = wanted.value_or(usual_ranks(machine));
  const int ranks = wanted ? chosen : std::clamp(fitting, 1, chosen);
  require(ranks <= fitting, "{} rank{} of {} need {}; {} has {} of memory available: choose a smaller --batch{}", ranks,
          ranks == 1 ? "" : "s", format_bytes(memory_per_rank), format_bytes(memory_per_rank * ranks), machine.host,
          format_bytes(machine.memory_available), ranks > 1 ? " or fewer ranks (-n)" : "");
  return {.ranks = ranks, .cores_per_rank = machine.cores / ranks};
}

std::vector<std::string> launcher_command(const RankLayout& layout, const std::vector<std::string>& program) {
  std::vector<std::string> command{mpi_launcher()};
  auto add = [&](std::initializer_list<std::string> words) { command.insert(command.end(), words); };
  const bool bound = layout.cores_per_rank >= 1;
  if (mpi_library_version().starts_with("Open MPI")) {
    add({"--quiet", "-n", std::to_string(layout.ranks)});
    if (bound)
      add({"--map-by", fmt::format("slot:PE={}", layout.cores_per_rank), "--bind-to", "core"});
    else
      add({"--oversubscribe", "--bind-to", "none"});
  } else {
    add({"-n", std::to_string(layout.ranks)});
    if (bound) add({"-bind-to", fmt::format("core:{}", layout.cores_per_rank)});
  }
  command.insert(command.end(), program.begin(), program.end());
  return command;
}

Launch plan_launch(const RunConfig& config, Bytes memory_per_rank, const std::vector<std::string>& program) {
  const auto job = find_slurm_job(std::getenv);
  Launch launch = job ? plan_in_job(*job, config, program) : plan_on_host(config, memory_per_rank, program);
  const auto program_words = static_cast<std::ptrdiff_t>(program.size());
  launch.trial = trial_of({launch.command.begin(), launch.command.end() - program_words}, program.front());
  return launch;
}

int run(const Launch& launch) {
  if (standard_error_is_terminal()) setenv("MGBENCH_TERMINAL", "1", 1);
  hand_down_terminal();
  if (geteuid() == 0) {
    // Open MPI refuses to run as root unless both are set.
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  }
  for (const auto& [name, value] : launch.variables) setenv(name.c_str(), value.c_str(), 1);
  return run_launcher(launch.command, [&] { return why_no_ranks(launch.trial); });
}

}  // namespace mgbench

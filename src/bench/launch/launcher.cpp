#include "bench/launch/launcher.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string_view>

namespace mgbench {
namespace {

struct Variables {
  const char* ranks;
  const char* rank;
  const char* nodes;  // null: the launcher does not say
  const char* name;
  const char* remedy;
};

constexpr const char* kSrun = "srun";

/// From the innermost launcher outwards: mpirun may itself run inside a Slurm step.
constexpr std::array kLaunchers{
    Variables{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", nullptr, "Open MPI's mpirun",
              "start it with the mpirun or mpiexec of the MPI that it was built with"},
    Variables{"PMI_SIZE", "PMI_RANK", nullptr, "a launcher that speaks PMI (MPICH's mpiexec, srun --mpi=pmi2)",
              "start it with the mpirun or mpiexec of the MPI that it was built with, or with srun --mpi=pmix"},
    Variables{
        "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "SLURM_STEP_NUM_NODES", kSrun,
        "use srun --mpi=pmix (srun --mpi=list shows what there is), or the mpirun of the MPI that it was built with"},
};

/// salloc may open its shell in a step of this number, of one task (Slurm's LaunchParameters=use_interactive_step).
constexpr std::string_view kInteractiveStep = "4294967290";

bool in_interactive_step(const EnvironmentLookup& environment) {
  const char* step = environment("SLURM_STEP_ID");
  return step != nullptr && step == kInteractiveStep;
}

int number(const char* text, int otherwise) {
  if (text == nullptr) return otherwise;
  const std::string_view digits(text);
  int value = otherwise;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

}  // namespace

std::optional<Launcher> find_launcher(const EnvironmentLookup& environment) {
  const bool interactive = in_interactive_step(environment);
  for (const Variables& variables : kLaunchers) {
    if (interactive && std::string_view(variables.name) == kSrun) break;
    const char* ranks = environment(variables.ranks);
    if (ranks == nullptr) continue;
    Launcher launcher{.variable = fmt::format("{}={}", variables.ranks, ranks),
                      .name = variables.name,
                      .remedy = variables.remedy,
                      .rank = number(environment(variables.rank), 0),
                      .ranks = number(ranks, 1)};
    if (const char* nodes = variables.nodes != nullptr ? environment(variables.nodes) : nullptr)
      launcher.nodes = number(nodes, 1);
    return launcher;
  }
  return std::nullopt;
}

bool is_left_alone(const EnvironmentLookup& environment) {
  const std::optional<Launcher> launcher = find_launcher(environment);
  if (!launcher || launcher->name != kSrun || launcher->ranks <= 1) return false;
  for (const char* name : {"PMIX_RANK", "PMI_RANK", "PMI_FD"})
    if (environment(name) != nullptr) return false;
  return true;
}

std::optional<std::string> singleton_warning(const EnvironmentLookup& environment, int mpi_size) {
  const std::optional<Launcher> launcher = find_launcher(environment);
  if (mpi_size > 1 || !launcher || launcher->ranks <= 1) return std::nullopt;
  return fmt::format(
      "{}: {} started {} processes, but MPI says that this one is alone, so that each would measure a job of one rank. "
      "mgbench was "
      "built with another MPI than the launcher's, or the launcher does not reach it: {}",
      launcher->variable, launcher->name, launcher->ranks, launcher->remedy);
}

}  // namespace mgbench

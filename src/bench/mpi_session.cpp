#include "bench/mpi_session.h"

#include <mpi.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <exception>
#include <string_view>

#include "bench/communicators/iallreduce_algorithm.h"
#include "bench/process_group.h"

namespace mgbench {
namespace {

struct LauncherVariable {
  const char* name;
  const char* launcher;
  const char* remedy;
};

/// From the innermost launcher outwards: mpirun may itself run inside a Slurm step.
constexpr std::array kLauncherVariables{
    LauncherVariable{"OMPI_COMM_WORLD_SIZE", "Open MPI's mpirun",
                     "start it with the mpirun or mpiexec of the MPI that it was built with"},
    LauncherVariable{
        "PMI_SIZE", "a launcher that speaks PMI (MPICH's mpiexec, srun --mpi=pmi2)",
        "start it with the mpirun or mpiexec of the MPI that it was built with, or with srun --mpi=pmix"},
    LauncherVariable{
        "SLURM_STEP_NUM_TASKS", "srun",
        "use srun --mpi=pmix (srun --mpi=list shows what there is), or the mpirun of the MPI that it was "
        "built with"},
};

}  // namespace

MpiSession::MpiSession(int& argc, char**& argv) : exceptions_(std::uncaught_exceptions()) {
  check_mpi(MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &thread_level_), "MPI_Init_thread");
  int ranks = 1;
  check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &ranks), "MPI_Comm_size");
  settings_ = iallreduce_settings(ranks);
}

MpiSession::~MpiSession() {
  if (std::uncaught_exceptions() == exceptions_) MPI_Finalize();
}

const char* thread_level_name(int level) {
  if (level == MPI_THREAD_SINGLE) return "MPI_THREAD_SINGLE";
  if (level == MPI_THREAD_FUNNELED) return "MPI_THREAD_FUNNELED";
  if (level == MPI_THREAD_SERIALIZED) return "MPI_THREAD_SERIALIZED";
  return "MPI_THREAD_MULTIPLE";
}

void require_helper_thread(int provided) {
  require(provided >= MPI_THREAD_SERIALIZED,
          "this MPI provides {} only, and sending in the background needs MPI_THREAD_SERIALIZED: a helper "
          "thread calls "
          "MPI beside the main one. Use an MPI that was built with threads",
          thread_level_name(provided));
}

void require_helper_thread() {
  int provided = MPI_THREAD_SINGLE;
  check_mpi(MPI_Query_thread(&provided), "MPI_Query_thread");
  require_helper_thread(provided);
}

std::optional<std::string> singleton_warning(const EnvironmentLookup& environment, int mpi_size) {
  if (mpi_size > 1) return std::nullopt;
  for (const LauncherVariable& variable : kLauncherVariables) {
    const char* value = environment(variable.name);
    if (value == nullptr) continue;
    const std::string_view text(value);
    int processes = 0;
    std::from_chars(text.data(), text.data() + text.size(), processes);
    if (processes <= 1) return std::nullopt;
    return fmt::format(
        "{}={}: {} started {} processes, but MPI says that this one is alone, so that each measures a job of "
        "one rank. "
        "mgbench was built with another MPI than the launcher's, or the launcher does not reach it: {}",
        variable.name, text, variable.launcher, processes, variable.remedy);
  }
  return std::nullopt;
}

void abort_job(ExitCode code) {
  int initialized = 0;
  int finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  if (initialized != 0 && finalized == 0) {
    int size = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > 1) MPI_Abort(MPI_COMM_WORLD, static_cast<int>(code));
    MPI_Finalize();  // alone: without the noise that launchers make about an abort
  }
  std::exit(static_cast<int>(code));
}

}  // namespace mgbench

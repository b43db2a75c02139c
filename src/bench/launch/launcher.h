#pragma once

#include <functional>
#include <optional>
#include <string>

namespace mgbench {

/// Value of an environment variable, or null. A parameter, so that tests need no environment.
using EnvironmentLookup = std::function<const char*(const char* name)>;

/// What the launcher that started this process says of it.
struct Launcher {
  std::string variable;  ///< "OMPI_COMM_WORLD_SIZE=4"
  std::string name;      ///< "Open MPI's mpirun"
  std::string remedy;    ///< how to start mgbench where this launcher does not reach its MPI
  int rank = 0;
  int ranks = 1;
  std::optional<int> nodes = {};  ///< where the launcher says it
};

/// Nothing outside of a launcher (in a batch script and the shell of salloc, too: a job is no launcher).
std::optional<Launcher> find_launcher(const EnvironmentLookup& environment);

/// Why a process that MPI says is alone probably should not be: a launcher's environment says that it started several.
/// It happens when mgbench was built for another MPI than the launcher's; then every process measures a job of one
/// rank.
std::optional<std::string> singleton_warning(const EnvironmentLookup& environment, int mpi_size);

/// srun has started several processes and told none of them how to find the others (`--mpi=none`): some libraries leave
/// each alone, Open MPI ends the process with 1 in MPI_Init.
bool is_left_alone(const EnvironmentLookup& environment);

}  // namespace mgbench

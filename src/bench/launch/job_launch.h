#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/host/machine.h"
#include "bench/launch/slurm_job.h"

namespace mgbench {

/// How ranks lie on the nodes of a job.
struct JobLayout {
  int nodes = 1;
  int ranks = 1;
  int cpus_per_rank = 1;   ///< as Slurm counts; 0: more ranks than CPUs
  int cores_per_rank = 0;  ///< 0: more ranks than cores, or nobody knows from here
  std::string reason;      ///< "one a node"

  int ranks_per_node() const { return (ranks + nodes - 1) / nodes; }  ///< on the fullest
};

/// `ranks` in the whole, on `nodes`; where nothing is said, all nodes, and as many ranks as the job has tasks, one a
/// GPU, or one a NUMA domain of `machine` (in a job of one node: as on a host without a job). Throws Error for more
/// nodes than there are, or than ranks.
JobLayout lay_out_job(const SlurmJob& job, const Machine& machine, std::optional<int> ranks, std::optional<int> nodes);

/// What starts ranks inside a job: "srun" or "mpirun" as `wanted` says. For "auto" srun where it speaks PMIx, which
/// `mpi_library` ("Open MPI v4.1.4") needs to be Open MPI for; under any other pair every rank may believe to be alone.
std::string choose_job_launcher(const std::string& wanted, const std::string& mpi_library,
                                const std::string& srun_mpi_types);

/// Its command line. `launcher` is mpirun's path; of srun's there is one.
std::vector<std::string> srun_command(const JobLayout& layout, const std::string& mpi_library,
                                      const std::vector<std::string>& program);
std::vector<std::string> mpirun_command(const std::string& launcher, const JobLayout& layout,
                                        const std::string& mpi_library, const std::vector<std::string>& program);

}  // namespace mgbench

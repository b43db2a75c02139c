#include "bench/help/topic.h"

namespace mgbench::topics_entries {
namespace {

constexpr const char* kText = R"(Typed bare, a command that needs ranks starts its own and prints how:

  on a host          one a core up to 8, then one a NUMA domain
  in a Slurm job     the job's tasks, one a GPU, or one a NUMA domain
  under mpirun, srun the ranks that it was given

  -n RANKS, --nodes N      how many, and on how many nodes of the job
  --launcher srun|mpirun   what starts them in a Slurm job
  --dry-run                only say what would be started

A job ends by itself where a rank dies or hangs: within the limit of --patience
where that is given, else after 30 s or longer where work takes longer. It
names the rank and its host, and saves what was measured. SIGINT, SIGTERM and
SIGUSR1 end sampling early: the result is complete, with fewer samples; a
second signal ends the process at once.
)";

}  // namespace

TopicEntry ranks() {
  return {"ranks", "how ranks are started, and what ends a job", [] { return std::string(kText); }};
}

}  // namespace mgbench::topics_entries

#include "bench/launch/launcher_guard.h"

#include <gtest/gtest.h>

namespace mgbench {
namespace {

TEST(LauncherGuard, KnowsTheLaunchersThatMayWaitForNobody) {
  for (const char* name : {"mpirun", "mpirun.openmpi", "mpiexec", "orterun", "prterun"}) EXPECT_TRUE(is_mpirun(name));
  for (const char* name : {"", "bash", "slurmstepd", "orted", "hydra_pmi_proxy", "mpi", "sshd"})
    EXPECT_FALSE(is_mpirun(name)) << name;
}

}  // namespace
}  // namespace mgbench

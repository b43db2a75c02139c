#include "bench/launch/launcher.h"

#include <gtest/gtest.h>

#include "support/environment_of.h"

namespace mgbench {
namespace {

TEST(SingletonWarning, NamesTheVariableTheLauncherAndTheRemedy) {
  const std::map<std::string, std::string> launchers{{"OMPI_COMM_WORLD_SIZE", "Open MPI's mpirun"},
                                                     {"PMI_SIZE", "MPICH's mpiexec"},
                                                     {"SLURM_STEP_NUM_TASKS", "srun --mpi=pmix"}};
  for (const auto& [variable, words] : launchers) {
    const auto warning = singleton_warning(environment_of({{variable, "8"}}), 1);
    ASSERT_TRUE(warning.has_value()) << variable;
    EXPECT_NE(warning->find(variable + "=8"), std::string::npos) << *warning;
    EXPECT_NE(warning->find(words), std::string::npos) << *warning;
    EXPECT_NE(warning->find("built with"), std::string::npos) << *warning;
  }
}

TEST(SingletonWarning, SaysNothingWhenMpiFoundTheOthers) {
  EXPECT_FALSE(singleton_warning(environment_of({{"OMPI_COMM_WORLD_SIZE", "8"}}), 8));
  EXPECT_FALSE(singleton_warning(environment_of({{"SLURM_STEP_NUM_TASKS", "8"}}), 2));
}

TEST(SingletonWarning, SaysNothingWhenOneProcessWasMeant) {
  EXPECT_FALSE(singleton_warning(environment_of({}), 1));
  EXPECT_FALSE(singleton_warning(environment_of({{"PMI_SIZE", "1"}}), 1));
  EXPECT_FALSE(singleton_warning(environment_of({{"PMI_SIZE", "?"}}), 1));
  // One process of mpirun inside a step of several; an allocation of eight tasks outside a step.
  EXPECT_FALSE(singleton_warning(environment_of({{"OMPI_COMM_WORLD_SIZE", "1"}, {"SLURM_STEP_NUM_TASKS", "8"}}), 1));
  EXPECT_FALSE(singleton_warning(environment_of({{"SLURM_NTASKS", "8"}, {"SLURM_PROCID", "0"}}), 1));
}

TEST(FindLauncher, IsEmptyOutsideOfALauncher) {
  EXPECT_FALSE(find_launcher(environment_of({})).has_value());
  // A batch script, outside of a step: Slurm has set up the job, nobody has started ranks.
  EXPECT_FALSE(find_launcher(environment_of({{"SLURM_JOB_ID", "1"}, {"SLURM_NTASKS", "8"}, {"SLURM_PROCID", "0"}})));
}

TEST(FindLauncher, TakesTheShellOfSallocForNone) {
  std::map<std::string, std::string> shell{{"SLURM_STEP_ID", "4294967290"}, {"SLURM_STEP_NUM_TASKS", "1"}};
  EXPECT_FALSE(find_launcher(environment_of(shell)));
  shell["OMPI_COMM_WORLD_SIZE"] = "2";  // mpirun, typed there
  ASSERT_TRUE(find_launcher(environment_of(shell)));
  EXPECT_EQ(find_launcher(environment_of(shell))->ranks, 2);
  EXPECT_TRUE(find_launcher(environment_of({{"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}})));
}

TEST(IsLeftAlone, HoldsForAStepOfSeveralWithoutAnyPmi) {
  const std::map<std::string, std::string> step{{"SLURM_STEP_NUM_TASKS", "8"}, {"SLURM_PROCID", "3"}};
  EXPECT_TRUE(is_left_alone(environment_of(step)));
  for (const char* name : {"PMIX_RANK", "PMI_RANK", "PMI_FD", "OMPI_COMM_WORLD_SIZE"}) {
    std::map<std::string, std::string> reached = step;
    reached[name] = "3";
    EXPECT_FALSE(is_left_alone(environment_of(reached))) << name;
  }
  EXPECT_FALSE(is_left_alone(environment_of({{"SLURM_STEP_NUM_TASKS", "1"}})));
  EXPECT_FALSE(is_left_alone(environment_of({})));
}

TEST(FindLauncher, ReadsEachLauncher) {
  const auto open_mpi = find_launcher(environment_of({{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_RANK", "3"}}));
  ASSERT_TRUE(open_mpi.has_value());
  EXPECT_EQ(open_mpi->rank, 3);
  EXPECT_EQ(open_mpi->ranks, 4);
  EXPECT_EQ(find_launcher(environment_of({{"PMI_SIZE", "2"}, {"PMI_RANK", "1"}}))->rank, 1);
  EXPECT_EQ(find_launcher(environment_of({{"SLURM_STEP_NUM_TASKS", "8"}, {"SLURM_PROCID", "7"}}))->ranks, 8);
}

}  // namespace
}  // namespace mgbench

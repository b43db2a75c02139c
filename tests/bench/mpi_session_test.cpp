#include "bench/mpi_session.h"

#include <gtest/gtest.h>
#include <mpi.h>

#include <map>

namespace mgbench {
namespace {

EnvironmentLookup environment_of(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
}

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
  EXPECT_FALSE(
      singleton_warning(environment_of({{"OMPI_COMM_WORLD_SIZE", "1"}, {"SLURM_STEP_NUM_TASKS", "8"}}), 1));
  EXPECT_FALSE(singleton_warning(environment_of({{"SLURM_NTASKS", "8"}, {"SLURM_PROCID", "0"}}), 1));
}

TEST(ThreadLevel, TooLowSaysWhatIsGivenAndNeeded) {
  for (const int level : {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED}) {
    try {
      require_helper_thread(level);
      FAIL() << thread_level_name(level);
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(thread_level_name(level)), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("MPI_THREAD_SERIALIZED"), std::string::npos) << error.what();
    }
  }
  EXPECT_NO_THROW(require_helper_thread(MPI_THREAD_SERIALIZED));
  EXPECT_NO_THROW(require_helper_thread(MPI_THREAD_MULTIPLE));
}

}  // namespace
}  // namespace mgbench

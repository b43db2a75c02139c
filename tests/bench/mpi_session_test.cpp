#include "bench/mpi/mpi_session.h"

#include <gtest/gtest.h>
#include <mpi.h>

namespace mgbench {
namespace {

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

TEST(ThreadLevel, IsNoObstacleBeforeMpiRuns) {
  EXPECT_EQ(helper_thread_obstacle(), "");
}

}  // namespace
}  // namespace mgbench

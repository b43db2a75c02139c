#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdio>

#include "bench/mpi/mpi_session.h"

namespace {

/// Every rank says its own failures, with the rank. A fatal one ends the job at once: this rank has left a
/// test that the others are still in, and they would wait for it.
class RankFailures final : public testing::EmptyTestEventListener {
 public:
  explicit RankFailures(int rank) : rank_(rank) {}

  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::fprintf(stderr, "rank %d: %s:%d: %s\n", rank_, result.file_name() ? result.file_name() : "?",
                 result.line_number(), result.message());
    if (result.fatally_failed()) MPI_Abort(MPI_COMM_WORLD, 1);
  }

 private:
  int rank_;
};

}  // namespace

/// main of tests that run under mpirun: the failure of any rank is a failure of all.
int main(int argc, char** argv) {
  const mgbench::MpiSession session(argc, argv);
  testing::InitGoogleTest(&argc, argv);
  GTEST_FLAG_SET(catch_exceptions, false);  // an exception on one rank must end the others too

  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  if (rank != 0) delete listeners.Release(listeners.default_result_printer());
  listeners.Append(new RankFailures(rank));

  int failed = RUN_ALL_TESTS();
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return failed;
}

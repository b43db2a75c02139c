#include "bench/communicators/iallreduce_algorithm.h"

#include <gtest/gtest.h>

namespace mgbench {
namespace {

TEST(IallreduceAlgorithm, ShortMessagesTakeTheFewestRounds) {
  for (const int ranks : {1, 2, 3, 8, 48}) {
    EXPECT_EQ(choose_iallreduce_algorithm(ranks, 4), IallreduceAlgorithm::recursive_doubling);
    EXPECT_EQ(choose_iallreduce_algorithm(ranks, 32 << 10), IallreduceAlgorithm::recursive_doubling);
  }
}

TEST(IallreduceAlgorithm, LongMessagesMoveTheFewestBytes) {
  for (const int ranks : {1, 2, 4, 64})
    EXPECT_EQ(choose_iallreduce_algorithm(ranks, 1 << 20), IallreduceAlgorithm::rabenseifner);
  for (const int ranks : {3, 6, 48}) EXPECT_EQ(choose_iallreduce_algorithm(ranks, 1 << 20), IallreduceAlgorithm::ring);
}

}  // namespace
}  // namespace mgbench

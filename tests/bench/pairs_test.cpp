#include "bench/pairs.h"

#include <gtest/gtest.h>

#include <set>

#include "base/error.h"

namespace mgbench {
namespace {

TEST(PairRounds, EveryTwoMeetOnceAndNobodyTwiceInARound) {
  for (int nodes = 2; nodes <= 33; ++nodes) {
    std::set<std::pair<int, int>> met;
    const auto rounds = pair_rounds(nodes);
    EXPECT_EQ(rounds.size(), static_cast<std::size_t>(nodes + nodes % 2 - 1));
    for (const auto& round : rounds) {
      std::set<int> busy;
      for (const auto& [one, other] : round) {
        EXPECT_LT(one, other);
        EXPECT_TRUE(busy.insert(one).second && busy.insert(other).second);
        EXPECT_TRUE(met.insert({one, other}).second);
      }
    }
    EXPECT_EQ(met.size(), static_cast<std::size_t>(nodes * (nodes - 1) / 2));
  }
}

TEST(MeasurePairs, FillsTheMatrix) {
  ProcessGroup group(MPI_COMM_WORLD);
  Progress progress(false);
  if (group.size() < 2) {
    EXPECT_THROW(measure_pairs(group, "host", progress), Error);
    return;
  }
  const PairMatrix matrix = measure_pairs(group, "host", progress);  // one host: every rank is a node
  const auto nodes = static_cast<std::size_t>(group.size());
  ASSERT_EQ(matrix.bandwidths.size(), nodes * nodes);
  for (std::size_t one = 0; one < nodes; ++one)
    for (std::size_t other = 0; other < nodes; ++other) {
      if (one == other) continue;
      EXPECT_GT(matrix.bandwidths[one * nodes + other], 0);
      EXPECT_EQ(matrix.latencies[one * nodes + other], matrix.latencies[other * nodes + one]);
    }
  EXPECT_EQ(matrix.nodes.size(), group.is_root() ? nodes : 0);
}

TEST(MeasurePairs, TakesOneRankAHost) {
  ProcessGroup group(MPI_COMM_WORLD);
  Progress progress(false);
  if (group.size() < 3) GTEST_SKIP() << "needs three ranks";
  const PairMatrix matrix = measure_pairs(group, group.rank() == 1 ? "b" : "a", progress);
  EXPECT_EQ(matrix.bandwidths.size(), 4);
  const std::vector<std::string> expected{"a (rank 0)", "b (rank 1)"};
  EXPECT_EQ(matrix.nodes, group.is_root() ? expected : std::vector<std::string>());
}

}  // namespace
}  // namespace mgbench

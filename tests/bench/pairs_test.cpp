#include "bench/calibration/pairs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/error.h"

namespace mgbench {
namespace {

TEST(PairRounds, EveryTwoMeetOnceAndNobodyTwiceInARound) {
  for (int nodes = 2; nodes <= static_cast<int>(kMostNodesInFull); ++nodes) {
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

TEST(PairRounds, ManyNodesMeetSomeOthersEach) {
  for (const int nodes : {65, 66, 100, 4096}) {
    std::set<std::pair<int, int>> met;
    std::map<int, std::size_t> meetings;
    for (const auto& round : pair_rounds(nodes))
      for (const auto& [one, other] : round) {
        EXPECT_TRUE(met.insert({one, other}).second);
        ++meetings[one];
        ++meetings[other];
      }
    EXPECT_EQ(meetings.size(), static_cast<std::size_t>(nodes));
    for (const auto& [node, count] : meetings) {
      EXPECT_GE(count, kMostNodesInFull - 2);  // one less where the number is odd
      EXPECT_LE(count, kMostNodesInFull - 1);
    }
  }
}

/// The reader takes 64 MiB and four million values.
TEST(PairRounds, WhatThousandsOfNodesMeasureCanBeRead) {
  constexpr int kNodes = 4096;
  PairMatrix matrix;
  for (int node = 0; node < kNodes; ++node) matrix.nodes.push_back(fmt::format("node{} (rank {})", node, 4 * node));
  matrix.link_rates.assign(kNodes, 12.5e9);
  for (const auto& round : pair_rounds(kNodes))
    for (const auto& [one, other] : round)
      matrix.pairs.push_back({static_cast<std::size_t>(one), static_cast<std::size_t>(other), 1.2345678901e-6, 1.1e10});
  const std::string text = pairs_to_json(matrix);
  EXPECT_LT(text.size(), std::size_t{20} << 20);
  EXPECT_EQ(pairs_from_json(text, "pairs.json").pairs.size(), matrix.pairs.size());
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
  ASSERT_EQ(matrix.pairs.size(), nodes * (nodes - 1) / 2);
  for (const PairTime& pair : matrix.pairs) {
    EXPECT_LT(pair.one, pair.other);
    EXPECT_GT(pair.latency, 0);
    EXPECT_GT(pair.bandwidth, 0);
  }
  EXPECT_EQ(matrix.nodes.size(), group.is_root() ? nodes : 0);
}

TEST(MeasurePairs, TakesOneRankAHost) {
  ProcessGroup group(MPI_COMM_WORLD);
  Progress progress(false);
  if (group.size() < 3) GTEST_SKIP() << "needs three ranks";
  const PairMatrix matrix = measure_pairs(group, group.rank() == 1 ? "b" : "a", progress);
  EXPECT_EQ(matrix.pairs.size(), 1);
  const std::vector<std::string> expected{"a (rank 0)", "b (rank 1)"};
  EXPECT_EQ(matrix.nodes, group.is_root() ? expected : std::vector<std::string>());
}

}  // namespace
}  // namespace mgbench

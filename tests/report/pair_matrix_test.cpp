#include "report/pair_matrix.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace mgbench {
namespace {

/// Links of 1 GB/s and 10 us; those of `slow` reach a share of it.
PairMatrix matrix_of(std::size_t nodes, double rate = 0) {
  PairMatrix matrix;
  for (std::size_t node = 0; node < nodes; ++node) matrix.nodes.push_back("node" + std::to_string(node));
  matrix.link_rates.assign(nodes, rate);
  for (std::size_t one = 0; one < nodes; ++one)
    for (std::size_t other = one + 1; other < nodes; ++other) matrix.pairs.push_back({one, other, 1e-5, 1e9});
  return matrix;
}

void slow_down(PairMatrix& matrix, std::size_t one, std::size_t other, double share) {
  for (PairTime& pair : matrix.pairs)
    if (std::minmax(one, other) == std::minmax(pair.one, pair.other)) pair.bandwidth *= share;
}

TEST(PairMatrix, FindsNothingWhereAllAreAlike) {
  EXPECT_TRUE(slow_parts(matrix_of(6)).empty());
  EXPECT_NE(format_pairs(matrix_of(6)).find("No node and no link is below"), std::string::npos);
}

TEST(PairMatrix, NamesASlowNodeOnceAndNotItsLinks) {
  PairMatrix matrix = matrix_of(6);
  for (std::size_t other = 0; other < 6; ++other)
    if (other != 2) slow_down(matrix, 2, other, 0.1);
  const auto slow = slow_parts(matrix);
  ASSERT_EQ(slow.size(), 1);
  EXPECT_EQ(slow[0].nodes, std::vector<std::size_t>{2});
  EXPECT_NEAR(slow[0].share, 0.1, 1e-12);
  EXPECT_NE(format_pairs(matrix).find("SLOW NODE node2"), std::string::npos);
}

TEST(PairMatrix, NamesASlowLink) {
  PairMatrix matrix = matrix_of(6);
  slow_down(matrix, 1, 4, 0.5);
  const auto slow = slow_parts(matrix);
  ASSERT_EQ(slow.size(), 1);
  EXPECT_EQ(slow[0].nodes, (std::vector<std::size_t>{1, 4}));
  EXPECT_NE(format_pairs(matrix).find("SLOW LINK between node1 and node4: 50 %"), std::string::npos);
  const auto json = nlohmann::json::parse(pairs_to_json(matrix));
  EXPECT_EQ(json["pairs"].size(), 15);
  EXPECT_EQ(json["slow"][0]["nodes"][1], "node4");
}

TEST(PairMatrix, IsReadAsItWasWritten) {
  PairMatrix matrix = matrix_of(5, 1.25e9);
  matrix.link_rates[3] = 0;
  for (PairTime& pair : matrix.pairs) {
    pair.latency = 1e-6 * static_cast<double>(10 * pair.one + pair.other);
    pair.bandwidth = 1e8 * static_cast<double>(pair.one + 2 * pair.other);
  }
  const PairMatrix read = pairs_from_json(pairs_to_json(matrix), "pairs.json");
  EXPECT_EQ(read.nodes, matrix.nodes);
  EXPECT_EQ(read.link_rates, matrix.link_rates);
  ASSERT_EQ(read.pairs.size(), matrix.pairs.size());
  for (std::size_t i = 0; i < read.pairs.size(); ++i) {
    EXPECT_EQ(read.pairs[i].one, matrix.pairs[i].one);
    EXPECT_EQ(read.pairs[i].other, matrix.pairs[i].other);
    EXPECT_EQ(read.pairs[i].latency, matrix.pairs[i].latency);
    EXPECT_EQ(read.pairs[i].bandwidth, matrix.pairs[i].bandwidth);
  }
}

TEST(PairMatrix, OfManyNodesNeedsNotAllPairs) {
  PairMatrix matrix = matrix_of(kMostNodesInFull + 1);
  slow_down(matrix, 0, 1, 0.1);
  std::erase_if(matrix.pairs, [](const PairTime& pair) { return pair.other - pair.one > 1; });
  const PairMatrix read = pairs_from_json(pairs_to_json(matrix), "pairs.json");
  EXPECT_EQ(read.pairs.size(), kMostNodesInFull);
  ASSERT_EQ(slow_parts(read).size(), 2);  // node 0, whose only link it is, and node 1 by one of two
  EXPECT_EQ(slow_parts(read)[0].nodes, std::vector<std::size_t>{0});
}

TEST(PairMatrix, RefusesWhatIsNoMatrix) {
  const std::string good = pairs_to_json(matrix_of(3));
  const auto changed = [&](auto change) {
    auto json = nlohmann::json::parse(good);
    change(json);
    return json.dump();
  };
  const std::vector<std::string> wrong{
      "",
      "[]",
      "{}",
      changed([](auto& json) { json["pairs"].erase(1); }),
      changed([](auto& json) { json["pairs"][1] = json["pairs"][0]; }),
      changed([](auto& json) { json["pairs"][0]["nodes"][1] = json["pairs"][0]["nodes"][0]; }),
      changed([](auto& json) { json["pairs"][0]["nodes"].push_back("more"); }),
      changed([](auto& json) { json["pairs"][0]["latency_seconds"] = -1; }),
      changed([](auto& json) { json["pairs"][0]["bandwidth_bytes_per_second"] = 0; }),
      changed([](auto& json) { json["pairs"][0]["more"] = 1; }),
      changed([](auto& json) { json["link_rates_bytes_per_second"]["nobody"] = 1; })};
  for (const std::string& text : wrong) EXPECT_THROW(pairs_from_json(text, "pairs.json"), Error) << text;
}

TEST(PairMatrix, TwoNodesHaveNothingToBeComparedWith) {
  PairMatrix matrix = matrix_of(2);
  slow_down(matrix, 0, 1, 0.01);
  EXPECT_TRUE(slow_parts(matrix).empty());
}

TEST(PairMatrix, TellsTheShareOfTheLinksRate) {
  EXPECT_NE(format_pairs(matrix_of(3, 1.25e9)).find("80 to 80 %"), std::string::npos);
  EXPECT_EQ(format_pairs(matrix_of(3)).find("kernels"), std::string::npos);
}

TEST(PairMatrix, ManyNodesAreQuantiles) {
  const std::string text = format_pairs(matrix_of(40));
  EXPECT_NE(text.find("780 pairs"), std::string::npos);
  EXPECT_LT(text.size(), 600);
}

}  // namespace
}  // namespace mgbench

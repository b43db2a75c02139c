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
  matrix.latencies.assign(nodes * nodes, 1e-5);
  matrix.bandwidths.assign(nodes * nodes, 1e9);
  return matrix;
}

void slow_down(PairMatrix& matrix, std::size_t one, std::size_t other, double share) {
  matrix.bandwidths[matrix.index(one, other)] *= share;
  matrix.bandwidths[matrix.index(other, one)] *= share;
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
  for (std::size_t one = 0; one < 5; ++one)
    for (std::size_t other = 0; other < one; ++other) {
      slow_down(matrix, one, other, 0.1 * static_cast<double>(one + 2 * other + 1));
      matrix.latencies[matrix.index(one, other)] = matrix.latencies[matrix.index(other, one)] =
          1e-6 * static_cast<double>(10 * one + other);
    }
  for (std::size_t node = 0; node < 5; ++node)
    matrix.latencies[matrix.index(node, node)] = matrix.bandwidths[matrix.index(node, node)] = 0;
  const PairMatrix read = pairs_from_json(pairs_to_json(matrix), "pairs.json");
  EXPECT_EQ(read.nodes, matrix.nodes);
  EXPECT_EQ(read.link_rates, matrix.link_rates);
  EXPECT_EQ(read.latencies, matrix.latencies);
  EXPECT_EQ(read.bandwidths, matrix.bandwidths);
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

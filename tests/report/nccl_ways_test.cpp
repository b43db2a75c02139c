#include "report/nccl_ways.h"

#include <gtest/gtest.h>

#include "report/nccl_advice.h"

namespace mgbench {
namespace {

const std::vector<NcclOffer> kOffers{{"Tree", "LL", 80},  {"Tree", "LL128", 0}, {"Tree", "Simple", 240},
                                     {"NVLS", "LL", 0},   {"NVLS", "LL128", 0}, {"NVLS", "Simple", 480.1},
                                     {"PAT", "Simple", 0}};

TEST(NcclWays, AreWhatIsOffered) {
  EXPECT_EQ(ways_to_try(kOffers),
            (std::vector<NcclWay>{{"Tree", ""}, {"Tree", "LL"}, {"Tree", "Simple"}, {"NVLS", ""}}));
  EXPECT_EQ(not_offered(kOffers), (std::vector<std::string>{"Tree/LL128", "NVLS/LL", "NVLS/LL128", "PAT"}));
  EXPECT_TRUE(ways_to_try({}).empty());
}

TEST(NcclWays, TookEffectWhereNcclSaysSoAtEverySize) {
  const std::vector<NcclChoice> said{{4, "TREE", "LL", 1}, {8, "TREE", "SIMPLE", 2}};
  EXPECT_EQ(deviation({"Tree", ""}, said, {4, 8}), "");
  EXPECT_EQ(deviation({"Tree", "LL"}, said, {4}), "");
  EXPECT_EQ(deviation({"Tree", "LL"}, said, {4, 8}), "NCCL took TREE/SIMPLE at 8 B all the same");
  EXPECT_EQ(deviation({"Ring", ""}, said, {4, 8}), "NCCL took TREE/LL at 4 B all the same");
  EXPECT_EQ(deviation({"Tree", ""}, said, {4, 8, 16}), "NCCL did not say what it took at 16 B");
  EXPECT_EQ(deviation({"Tree", "LL128"}, said, {4}), "NCCL took TREE/LL at 4 B all the same");
}

TEST(NcclWays, AreTheSameWithAsManyChannels) {
  EXPECT_EQ(same_choices({{4, "TREE", "LL", 1}, {8, "TREE", "LL", 1}, {16, "RING", "LL", 1}},
                         {{4, "TREE", "LL", 1}, {8, "TREE", "LL", 2}, {16, "TREE", "LL", 1}}),
            (std::set<Bytes>{4}));
}

SizeComparison size(Bytes bytes, const std::string& algorithm, int value, double ratio) {
  return {.bytes = bytes,
          .algorithm = algorithm,
          .value = value,
          .own_choice = std::vector<Seconds>(20, ratio * 1e-3),
          .other = std::vector<Seconds>(20, 1e-3)};
}

AlgorithmComparison comparison(std::vector<SizeComparison> sizes) {
  return {.ranks = 2, .library = "NCCL", .variable = "NCCL_ALGO, NCCL_PROTO", .failed = {}, .sizes = std::move(sizes)};
}

TEST(NcclAdvice, IsOneSettingWhereItSuitsAllSizes) {
  EXPECT_EQ(nccl_advice(comparison({size(4, "Ring", 1, 1), size(16, "Ring", 1, 1.5)})),
            "To use it at all sizes:\n  export NCCL_ALGO=Ring\n");
  EXPECT_EQ(nccl_advice(comparison({size(4, "Ring/LL", 1, 1.5)})),
            "To use it at all sizes:\n  export NCCL_ALGO=Ring NCCL_PROTO=LL\n");
}

TEST(NcclAdvice, IsBySizeWhereSizesDiffer) {
  const std::string text = nccl_advice(comparison(
      {size(4, "Tree/LL", 2, 1.5), size(16, "Tree/LL", 2, 1.2), size(64, "Ring", 1, 0.5), size(256, "NVLS", 3, 1.1)}));
  EXPECT_NE(text.find("\n  4 B to 16 B: NCCL_ALGO=Tree NCCL_PROTO=LL\n  256 B: NCCL_ALGO=NVLS\n"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("export"), std::string::npos);
}

TEST(NcclAdvice, IsNoneWhereNothingIsFaster) {
  EXPECT_EQ(nccl_advice(comparison({size(4, "Ring", 1, 1), size(16, "Ring", 1, 0.9)})), "");
  EXPECT_EQ(nccl_advice(comparison({})), "");
}

}  // namespace
}  // namespace mgbench

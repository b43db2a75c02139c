#include "report/algorithm_comparison.h"

#include <gtest/gtest.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

namespace mgbench {
namespace {

/// The other takes 1 ms a round, the own choice that times `ratio`, both with noise that hits a round as a whole.
SizeComparison size(Bytes bytes, int value, double ratio, std::size_t rounds = 20) {
  SizeComparison result{
      .bytes = bytes, .algorithm = "a" + std::to_string(value), .value = value, .own_choice = {}, .other = {}};
  std::mt19937_64 random(static_cast<std::uint64_t>(bytes));
  std::lognormal_distribution<double> mood(0, 0.5);
  for (std::size_t round = 0; round < rounds; ++round) {
    result.other.push_back(1e-3 * mood(random));
    result.own_choice.push_back(result.other.back() * ratio * (round % 2 == 0 ? 1.001 : 0.999));
  }
  return result;
}

AlgorithmComparison comparison(std::vector<SizeComparison> sizes) {
  return {.ranks = 4, .variable = "variable", .failed = {}, .sizes = std::move(sizes)};
}

using Rules = std::vector<AlgorithmRule>;

TEST(AlgorithmRules, ChangeNothingThatIsNotCertain) {
  EXPECT_EQ(algorithm_rules(comparison({})), Rules());
  EXPECT_EQ(algorithm_rules(comparison({size(4, 3, 0.5), size(16, 3, 1), size(64, 3, 1.015)})), Rules());
  EXPECT_EQ(algorithm_rules(comparison({size(4, 3, 2, 5)})), Rules()) << "five rounds have no interval";
  SizeComparison wild = size(4, 3, 1.5);
  for (std::size_t round = 0; round < wild.other.size(); round += 3) wild.own_choice[round] /= 1.5;
  EXPECT_GT(wild.ratio().median, 1.4);
  EXPECT_EQ(algorithm_rules(comparison({wild})), Rules());
}

TEST(AlgorithmRules, HoldFromTheFirstToTheLastSizeThatWasMeasured) {
  EXPECT_EQ(algorithm_rules(comparison({size(4, 3, 1.5), size(16, 3, 1.2), size(64, 3, 1)})),
            (Rules{{0, 0}, {4, 3}, {17, 0}}));
  EXPECT_EQ(algorithm_rules(comparison({size(4, 3, 1), size(16, 3, 1.2)})), (Rules{{0, 0}, {16, 3}, {17, 0}}));
}

TEST(AlgorithmRules, LeaveWhatLiesBetweenTwoAlgorithmsToTheLibrary) {
  EXPECT_EQ(algorithm_rules(comparison({size(4, 3, 1.5), size(16, 4, 1.2), size(64, 4, 1.2), size(256, 3, 1.2)})),
            (Rules{{0, 0}, {4, 3}, {5, 0}, {16, 4}, {65, 0}, {256, 3}, {257, 0}}));
  EXPECT_EQ(algorithm_rules(comparison({size(4, 3, 1.5), size(16, 3, 1), size(64, 3, 1.2)})),
            (Rules{{0, 0}, {4, 3}, {5, 0}, {64, 3}, {65, 0}}));
}

TEST(OpenMpiRules, AreForThatNumberOfRanksAlone) {
  const std::string text = open_mpi_rules(4, {{0, 0}, {4096, 3}, {16385, 0}});
  std::string numbers;  // comments are for people
  for (bool comment = false; const char letter : text) {
    comment = letter == '#' || (comment && letter != '\n');
    if (!comment) numbers += letter;
  }
  std::istringstream stream(numbers);
  const std::vector<int> found{std::istream_iterator<int>(stream), {}};
  EXPECT_EQ(found, (std::vector<int>{1, 2, 3,                                          //
                                     0, 1, 0, 0, 0, 0,                                 //
                                     4, 3, 0, 0, 0, 0, 4096, 3, 0, 0, 16385, 0, 0, 0,  //
                                     5, 1, 0, 0, 0, 0}));
}

TEST(OpenMpiRules, AreReadByTheVersionsWhoseFormatTheyAre) {
  EXPECT_TRUE(reads_open_mpi_rules("Open MPI v4.1.4"));
  EXPECT_TRUE(reads_open_mpi_rules("Open MPI v5.0.8"));
  EXPECT_FALSE(reads_open_mpi_rules("Open MPI v6.0.0"));
  EXPECT_FALSE(reads_open_mpi_rules("MPICH Version:	4.0.2"));
}

TEST(AlgorithmForAllSizes, IsTheSameEverywhereAndSlowerNowhere) {
  EXPECT_EQ(algorithm_for_all_sizes(comparison({})), "");
  EXPECT_EQ(algorithm_for_all_sizes(comparison({size(4, 3, 1), size(16, 3, 1.5)})), "a3");
  EXPECT_EQ(algorithm_for_all_sizes(comparison({size(4, 3, 1), size(16, 3, 1)})), "");
  EXPECT_EQ(algorithm_for_all_sizes(comparison({size(4, 3, 0.9), size(16, 3, 1.5)})), "");
  EXPECT_EQ(algorithm_for_all_sizes(comparison({size(4, 4, 1.5), size(16, 3, 1.5)})), "");
  EXPECT_EQ(algorithm_for_all_sizes(comparison({size(4, 3, 1, 5), size(16, 3, 1.5)})), "");
}

TEST(AlgorithmForAllSizes, MayBeTheOwnChoiceAtSome) {
  SizeComparison own = size(64, 4, 0.5);
  own.same = {"a3"};
  EXPECT_EQ(algorithm_for_all_sizes(comparison({size(4, 3, 1.5), own})), "a3");
  EXPECT_EQ(algorithm_for_all_sizes(comparison({size(4, 3, 1), own})), "") << "nowhere faster";
  EXPECT_EQ(algorithm_for_all_sizes(comparison({own, size(128, 3, 1), size(256, 3, 1.5)})), "a3");
  own.same = {"a5"};
  EXPECT_EQ(algorithm_for_all_sizes(comparison({size(4, 3, 1.5), own})), "");
}

TEST(FormatAlgorithms, SaysWhatIsFasterSlowerAndNotKnown) {
  AlgorithmComparison both = comparison({size(4, 3, 1.5), size(16, 4, 1), size(64, 5, 0.5)});
  both.failed = {{"a8", "the sum is wrong"}, {"a9", "the sum is wrong"}, {"b", "refused"}};
  both.left_out_above = 64;
  const std::string text = format_algorithms(both);
  EXPECT_NE(text.find("1.500 [1.499, 1.501]  *"), std::string::npos) << text;
  EXPECT_NE(text.find("not distinguishable"), std::string::npos) << text;
  EXPECT_NE(text.find("0.500 ["), std::string::npos) << text;
  EXPECT_NE(text.find("At 1 of 3 sizes"), std::string::npos) << text;
  EXPECT_NE(text.find("LEFT OUT: b: refused\nLEFT OUT: a8, a9: the sum is wrong"), std::string::npos) << text;
  EXPECT_NE(text.find("Messages above 64 B did not fit"), std::string::npos) << text;
  EXPECT_NE(format_algorithms(comparison({size(4, 3, 1)})).find("Nothing to change"), std::string::npos);
}

TEST(AlgorithmsToJson, HoldsSamplesAndRules) {
  const auto json = nlohmann::json::parse(algorithms_to_json(comparison({size(4, 3, 1.5), size(16, 4, 2, 3)})));
  EXPECT_EQ(json["sizes"][0]["own_choice_samples_seconds"].size(), 20U);
  EXPECT_EQ(json["sizes"][0]["certainly_faster"], true);
  EXPECT_EQ(json["sizes"][1]["ratio_interval"], nullptr);
  EXPECT_EQ(json["rules"][1]["from_bytes"], 4);
  EXPECT_EQ(json["rules"][1]["value"], 3);
}

}  // namespace
}  // namespace mgbench

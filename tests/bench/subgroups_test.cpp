#include "bench/calibration/subgroups.h"

#include <gtest/gtest.h>

namespace mgbench {
namespace {

std::vector<std::string> described(const std::vector<std::string>& hosts) {
  std::vector<std::string> result;
  for (const Subgroup& group : subgroups(hosts)) {
    std::string text = group.layout + ":";
    for (const int rank : group.ranks) text += " " + std::to_string(rank);
    result.push_back(text);
  }
  return result;
}

using Texts = std::vector<std::string>;

TEST(Subgroups, OfOneNodeArePowersOfTwoBelowAll) {
  EXPECT_EQ(described({"a"}), Texts());
  EXPECT_EQ(described({"a", "a"}), Texts());
  EXPECT_EQ(described({"a", "a", "a"}), Texts{"one node: 0 1"});
  EXPECT_EQ(described({"a", "a", "a", "a"}), Texts{"one node: 0 1"});
  EXPECT_EQ(described({"a", "a", "a", "a", "a", "a"}), (Texts{"one node: 0 1", "one node: 0 1 2 3"}));
}

TEST(Subgroups, OfSeveralNodesAreWithinAndBetween) {
  EXPECT_EQ(described({"a", "b", "c", "d"}), Texts{"one rank a node: 0 1"});
  EXPECT_EQ(described({"a", "a", "b", "b"}), (Texts{"one node: 0 1", "one rank a node: 0 2"}));
  EXPECT_EQ(described({"a", "b", "a", "b", "b"}), (Texts{"one node: 1 3", "one rank a node: 0 1"}));
}

}  // namespace
}  // namespace mgbench

#include "report/environment_difference.h"

#include <gtest/gtest.h>

namespace mgbench {
namespace {

TEST(EnvironmentDifferences, AreWhatIsNotTheSameInAll) {
  const Environment first{{"a", "1"}, {"b", "1"}, {"c", ""}};
  const Environment second{{"a", "1"}, {"b", "2"}, {"c", ""}};
  const Environment third{{"a", "1"}, {"b", "1"}};
  EXPECT_TRUE(environment_differences({}).empty());
  EXPECT_TRUE(environment_differences({first}).empty());
  EXPECT_TRUE(environment_differences({first, first}).empty());
  const auto differences = environment_differences({first, second, third});
  ASSERT_EQ(differences.size(), 2U);
  using Values = std::vector<std::optional<std::string>>;
  EXPECT_EQ(differences[0].key, "b");
  EXPECT_EQ(differences[0].values, (Values{"1", "2", "1"}));
  EXPECT_EQ(differences[1].key, "c");
  EXPECT_EQ(differences[1].values, (Values{"", "", std::nullopt})) << "empty is not the same as not there";
}

TEST(EnvironmentDifferences, AreToldWithEqualOnesTogether) {
  const auto differences = environment_differences({{{"a", "1"}, {"b", "x\033[2Jy"}}, {{"a", "2"}}, {{"a", "1"}}});
  EXPECT_EQ(format_differences({"one", "two", "three"}, differences),
            "Environments differ:\n"
            "  a\n"
            "    one, three: 1\n"
            "    two: 2\n"
            "  b\n"
            "    two, three: (not set)\n"
            "    one: x [2Jy\n");
  EXPECT_EQ(format_differences({"one", "two"}, {}), "Environments: no difference.\n");
}

}  // namespace
}  // namespace mgbench

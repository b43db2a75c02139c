#include "planner/tool_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "planner/cases.h"

namespace mgbench {
namespace {

using testing::Cases;
using testing::profile_of;

using Ends = std::vector<std::size_t>;
using Rule = std::function<LimitedPlan(const MergeProblem&, Bytes)>;

struct NamedRule {
  std::string name;
  Rule rule;
};
const std::vector<NamedRule> kRules = {
    {"close_when_reached", [](const MergeProblem& problem, Bytes cap) { return close_when_reached(problem, cap); }},
    {"close_when_reached, its own first cap",
     [](const MergeProblem& problem, Bytes cap) { return close_when_reached(problem, cap, 5); }},
    {"close_before_exceeding", close_before_exceeding},
    {"fuse_in_cycles",
     [](const MergeProblem& problem, Bytes threshold) { return fuse_in_cycles(problem, threshold, 0.5); }}};

const CostModel kCost(Line{0.25, 0.015625});

TEST(CloseWhenReached, SaysWhichCapsMakeTheSamePlan) {
  const Profile profile = profile_of({{4, 1}, {7, 1}, {1, 1}, {100, 1}, {3, 1}, {4, 1}});
  const MergeProblem problem(profile, kCost);
  const LimitedPlan plan = close_when_reached(problem, 8);
  EXPECT_EQ(plan.ends, (Ends{2, 4, 6}));
  EXPECT_EQ(plan.least, 5);  // at 4 the first tensor closes alone
  EXPECT_EQ(plan.most, 11);
  const LimitedPlan with_first = close_when_reached(problem, 8, 4);
  EXPECT_EQ(with_first.ends, (Ends{1, 3, 4, 6}));
  EXPECT_EQ(with_first.least, 8);
  EXPECT_EQ(with_first.most, 8);
}

TEST(CloseWhenReached, HasNoBoundWhereACapIsNeverReached) {
  const Profile profile = profile_of({{4, 1}, {7, 1}});
  const LimitedPlan all = close_when_reached(MergeProblem(profile, kCost), 100);
  EXPECT_EQ(all.ends, (Ends{2}));
  EXPECT_EQ(all.least, 5);
  EXPECT_EQ(all.most, LimitedPlan::kNoBound);
  const LimitedPlan first_only = close_when_reached(MergeProblem(profile, kCost), 100, 50);
  EXPECT_EQ(first_only.ends, (Ends{2}));
  EXPECT_EQ(first_only.least, 1) << "the first bucket holds everything, whatever the cap of the others";
}

TEST(CloseBeforeExceeding, SendsLargerTensorsAlone) {
  const Profile profile = profile_of({{4, 1}, {3, 1}, {1, 1}, {100, 1}, {3, 1}, {4, 1}});
  const LimitedPlan plan = close_before_exceeding(MergeProblem(profile, kCost), 7);
  EXPECT_EQ(plan.ends, (Ends{2, 3, 4, 6}));
  EXPECT_EQ(plan.least, 7);
  EXPECT_EQ(plan.most, 7);
  EXPECT_EQ(close_before_exceeding(MergeProblem(profile, kCost), 0).ends, (Ends{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(close_before_exceeding(MergeProblem(profile, kCost), 115).most, LimitedPlan::kNoBound);
}

// Against every limit, one byte after the other.
TEST(EveryToolRule, SaysExactlyWhichLimitsMakeTheSamePlan) {
  for (unsigned seed = 0; seed < 300 && !HasFailure(); ++seed) {
    Cases cases(seed);
    Profile profile;
    for (std::size_t left = cases.integer(1, 8); left > 0; --left)
      profile.steps.push_back({"step", 0, cases.uniform(0, 1), {{"tensor", static_cast<Bytes>(cases.integer(1, 9))}}});
    const CostModel cost = kCost.with_overlap(cases.overlap());
    const MergeProblem problem(profile, cost);
    for (const auto& [name, rule] : kRules)
      for (Bytes limit = 1; limit <= profile.bytes() + 2; ++limit) {
        SCOPED_TRACE(name + ", seed " + std::to_string(seed) + ", limit " + std::to_string(limit));
        const LimitedPlan plan = rule(problem, limit);
        EXPECT_LE(plan.least, limit);
        EXPECT_GE(plan.most, limit);
        for (Bytes other = std::max(plan.least, Bytes{1}); other <= std::min(plan.most, profile.bytes() + 2); ++other)
          EXPECT_EQ(rule(problem, other).ends, plan.ends) << other;
        EXPECT_TRUE(plan.least <= 1 || rule(problem, plan.least - 1).ends != plan.ends);
        EXPECT_TRUE(plan.most == LimitedPlan::kNoBound || rule(problem, plan.most + 1).ends != plan.ends);
      }
  }
}

}  // namespace
}  // namespace mgbench

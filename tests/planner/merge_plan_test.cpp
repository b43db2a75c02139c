#include "planner/merge_plan.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "planner/cases.h"

namespace mgbench {
namespace {

TEST(MergePlan, CountsGroupsAndTensors) {
  const MergePlan plan({2, 3, 7});
  EXPECT_EQ(plan.groups(), 3);
  EXPECT_EQ(plan.tensors(), 7);
  EXPECT_EQ(plan, MergePlan({2, 3, 7}));
  EXPECT_FALSE(plan == MergePlan({2, 7}));
}

TEST(MergePlan, RejectsWhatIsNoPartition) {
  EXPECT_THROW(MergePlan({}), Error);
  EXPECT_THROW(MergePlan({0}), Error);
  EXPECT_THROW(MergePlan({0, 1}), Error);
  EXPECT_THROW(MergePlan({1, 1}), Error);
  EXPECT_THROW(MergePlan({1, 3, 2}), Error);
}

RC_GTEST_PROP(MergePlan, TakesExactlyTheIncreasingEnds, (const std::vector<std::size_t>& ends)) {
  const bool increasing = std::adjacent_find(ends.begin(), ends.end(), std::greater_equal<>()) == ends.end();
  if (increasing && !ends.empty() && ends.front() > 0)
    RC_ASSERT(MergePlan(ends).ends() == ends);
  else
    RC_ASSERT_THROWS_AS(MergePlan{ends}, Error);
}

TEST(MakeSchedule, LaysMessagesOutInReadyOrder) {
  Profile profile;
  profile.steps = {
      {"input", 1, 4, {{"input.weight", 100}}}, {"middle", 0, 1, {}}, {"output", 2, 8, {{"w", 10}, {"b", 1}}}};
  const Schedule schedule = make_schedule(profile, MergePlan({1, 3}));
  ASSERT_EQ(schedule.size(), 2);
  EXPECT_EQ(schedule[0].arena, (ByteRange{0, 10}));
  EXPECT_EQ(schedule[0].released_by, 2);
  EXPECT_EQ(schedule[0].channel, 0);
  EXPECT_EQ(schedule[0].collective, Collective::allreduce);
  EXPECT_EQ(schedule[1].arena, (ByteRange{10, 111}));
  EXPECT_EQ(schedule[1].released_by, 0);
}

TEST(MakeSchedule, RejectsAPlanForAnotherNumberOfTensors) {
  const Profile profile = testing::profile_of({{10, 1}, {10, 1}});
  EXPECT_THROW(make_schedule(profile, MergePlan({1})), Error);
  EXPECT_THROW(make_schedule(profile, MergePlan({1, 3})), Error);
  EXPECT_NO_THROW(make_schedule(profile, MergePlan({1, 2})));
}

}  // namespace
}  // namespace mgbench

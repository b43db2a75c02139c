#include "planner/cost_family.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "planner/cases.h"

namespace mgbench {
namespace {

constexpr auto kAllreduce = Collective::allreduce;

TEST(ScaledCost, ScalesEveryTime) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    testing::Cases cases(seed);
    const CostModel cost = cases.cost();
    for (const Bytes bytes : {1, 100, 10'000, 1'000'000, 100'000'000})
      EXPECT_NEAR(cost.scaled(1.4).time(kAllreduce, bytes) / cost.time(kAllreduce, bytes), 1.4, 1e-9) << seed;
    EXPECT_EQ(cost.scaled(2).line().a, 2 * cost.line().a);
    EXPECT_EQ(cost.scaled(2).line().b, 2 * cost.line().b);
  }
  EXPECT_THROW(CostModel(Line{1, 1}).scaled(0), Error);
}

TEST(StartUp, OfALineIsItsA) {
  const CostModel cost(Line{1e-3, 1e-9});
  EXPECT_EQ(cost.start_up(), 1e-3);
  EXPECT_NEAR(cost.with_start_up_scaled(4).time(kAllreduce, 1'000'000), 5e-3, 1e-15);
  EXPECT_EQ(cost.with_start_up_scaled(4).line().a, 4e-3);
  EXPECT_THROW(cost.with_start_up_scaled(0), Error);
}

TEST(StartUp, IsAddedToEveryMessageAndLeavesTimesAboveZero) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    testing::Cases cases(seed);
    const CostModel cost = cases.cost();
    for (const Bytes bytes : {1, 100, 10'000, 1'000'000, 100'000'000}) {
      const Seconds time = cost.time(kAllreduce, bytes);
      EXPECT_GE(time, cost.start_up() * (1 - 1e-9)) << seed;
      EXPECT_NEAR(cost.with_start_up_scaled(3).time(kAllreduce, bytes), time + 2 * cost.start_up(), 1e-9 * time);
      EXPECT_GT(cost.with_start_up_scaled(0.5).time(kAllreduce, bytes), 0) << seed;
    }
  }
}

TEST(CostFamily, HoldsEveryDoubtOnce) {
  const CostModel cost = CostModel(Line{1e-3, 1e-9}).with_overlap({0.3, 1.5, 1e-5});
  std::vector<std::string> names;
  for (const NamedCost& member : cost_family(cost)) names.push_back(member.name);
  EXPECT_EQ(names, (std::vector<std::string>{"cost-x0.5", "cost-x0.7", "cost-x1.4", "cost-x2", "start-up-x0.5",
                                             "start-up-x2", "start-up-x4", "no-slowdown", "message-charge"}));
  const std::vector<NamedCost> family = cost_family(cost);
  EXPECT_TRUE(family[7].cost.overlap().none());
  EXPECT_DOUBLE_EQ(family[8].cost.overlap().message_cpu, 1.01e-3);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(family[i].cost.overlap().core_share, 0.3);
}

}  // namespace
}  // namespace mgbench

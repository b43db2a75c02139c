#include "report/plan_report.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "report/examples.h"
#include "report/json.h"

namespace mgbench {
namespace {

const CostModel kCost(Line{2.35e-3, 0.964e-9});

std::vector<PlannedStrategy> example_plans(const Profile& profile, const CostModel& cost) {
  std::vector<PlannedStrategy> plans;
  for (const auto& [name, ends] : std::vector<std::pair<std::string, std::vector<std::size_t>>>{
           {"wfbp", {1, 2, 3, 4, 5, 6}}, {"synceasgd", {6}}, {"mg-wfbp", {2, 6}}}) {
    const MergePlan plan(ends);
    plans.push_back({name, plan, predict(profile, make_schedule(profile, plan), cost)});
  }
  return plans;
}

TEST(PlanReport, ShowsPredictionsAndMessageSizes) {
  const Profile profile = example_profile();
  const auto plans = example_plans(profile, kCost);
  const std::string text = format_plans(profile, kCost, plans);
  EXPECT_NE(text.find("Cost of a message: T(m) = 2.35 ms + m * 0.964 ns/B\n"), std::string::npos) << text;
  EXPECT_NE(text.find("mg-wfbp    2 groups: 7.8 MiB, 53.2 KiB\n"), std::string::npos) << text;
  EXPECT_NE(text.find("synceasgd  1 group: 7.9 MiB\n"), std::string::npos) << text;
  EXPECT_NE(text.find("mg-wfbp           2      182.4       2.4     +0.0\n"), std::string::npos) << text;
}

TEST(PlanReport, LimitsTheSizesThatItLists) {
  Profile profile = example_profile();
  profile.steps[0].tensors.assign(40, {"bias", 4});
  std::vector<std::size_t> ends;
  for (std::size_t end = 1; end <= 45; ++end) ends.push_back(end);
  const MergePlan plan(ends);
  const std::string text = format_plans(profile, kCost, {{"wfbp", plan, {}}});
  EXPECT_NE(text.find("45 groups: "), std::string::npos);
  EXPECT_NE(text.find("and 29 more"), std::string::npos) << text;
}

TEST(PlanReport, DescribesACurveAndOverlap) {
  const CostModel cost(Curve{{1024, 1e-3}, {1 << 20, 5e-3}}, kCost.line(),
                       {.core_share = 0.2, .stretch = 1.1, .message_cpu = 5e-6});
  const std::string text = format_plans(example_profile(), cost, example_plans(example_profile(), cost), {}, 300);
  EXPECT_NE(text.find("measured curve up to 1.0 MiB, extrapolated beyond (its line: T(m) = 2.35 ms + m * 0.964 "
                      "ns/B); a message takes "
                      "20 % of its time from the compute core, 5 us for each, lasts 1.10 times as long"),
            std::string::npos)
      << text;
}

TEST(PlanReport, SaysWhatSplittingGains) {
  const Profile profile = example_profile();
  const SplitPlan split{.part = 1 << 20, .messages = 7, .iteration = 0.09, .whole_iteration = 0.1};
  EXPECT_NE(
      format_plans(profile, kCost, {}, split).find("parts of at most 1.0 MiB the exact plan would take 90 ms in 7"),
      std::string::npos);
  EXPECT_NE(format_plans(profile, kCost, {}, SplitPlan{}).find("would gain nothing"), std::string::npos);
  const auto json = nlohmann::json::parse(plans_to_json(profile, kCost, {}, split));
  EXPECT_EQ(json["split_tensors"]["part_bytes"], 1 << 20);
  EXPECT_TRUE(nlohmann::json::parse(plans_to_json(profile, kCost, {}))["split_tensors"].is_null());
}

TEST(PlanReport, HasAJsonFormWithTensorsByName) {
  const Profile profile = example_profile();
  const auto json = nlohmann::json::parse(plans_to_json(profile, kCost, example_plans(profile, kCost)));
  const auto& merged = json["strategies"][2];
  EXPECT_EQ(merged["strategy"], "mg-wfbp");
  EXPECT_EQ(merged["groups"][0]["bytes"], 8196000);
  EXPECT_EQ(merged["groups"][0]["tensors"][1]["name"], "fc.bias");
  EXPECT_EQ(merged["groups"][1]["tensors"][0]["name"], "layer1.0.conv1.weight");
  EXPECT_EQ(merged["groups"][1]["tensors"][3]["name"], "conv1.weight");
  EXPECT_NEAR(merged["predicted_iteration_seconds"].get<double>(), 0.1824, 1e-4);
}

TEST(PlanReport, RefusesAPlanOfAnotherProfile) {
  EXPECT_THROW(format_plans(example_profile(), kCost, {{"x", MergePlan({3}), {}}}), Error);
}

}  // namespace
}  // namespace mgbench

#include "report/tuning.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "report/examples.h"

namespace mgbench {
namespace {

/// 24 rounds of one sample; `time` a round, apart from noise that all contestants share.
std::vector<Sample> rounds_of(Seconds time, int rounds = 24) {
  std::vector<Sample> samples;
  for (int round = 0; round < rounds; ++round) {
    Sample sample;
    sample.round = round;
    sample.iteration = time * (1 + 0.01 * (round % 5));
    samples.push_back(sample);
  }
  return samples;
}

StrategyResult contestant(const std::string& name, std::vector<Sample> samples, const std::string& origin = "") {
  StrategyResult result;
  result.strategy = name;
  result.group_ends = {2, 6};
  result.group_bytes = {8196000, 54528};
  result.samples = std::move(samples);
  result.predicted.iteration = 0.1;
  result.origin = origin;
  return result;
}

RunResult race() {
  RunResult result = example_run();
  result.strategies = {contestant("wfbp", rounds_of(0.20, 9)), contestant("synceasgd", rounds_of(0.15)),
                       contestant("cost-x2", rounds_of(0.10), "exact plan with cost-x2")};
  result.strategies[0].dropped = Dropped{9, "cost-x2"};
  result.strategies[1].same = {"ddp"};
  result.ended = "all others are dropped after 24 rounds";
  return result;
}

TEST(Tuning, ChoosesTheCandidateThatIsProvenAndComparesByRounds) {
  const Tuning tuning = summarize_tuning(race());
  ASSERT_TRUE(tuning.chosen);
  EXPECT_EQ(tuning.rows[*tuning.chosen].name, "cost-x2");
  EXPECT_EQ(tuning.rows[*tuning.best_fixed].name, "synceasgd");
  EXPECT_EQ(tuning.leader, tuning.chosen);
  ASSERT_EQ(tuning.rows.size(), 3U);
  EXPECT_EQ(tuning.rows[2].name, "wfbp") << "dropped ones stand last";
  EXPECT_EQ(tuning.rows[2].iteration.samples, 9U);
  EXPECT_EQ(tuning.rows[2].against_chosen->samples, 9U) << "common rounds alone";
  EXPECT_NEAR(tuning.rows[2].against_chosen->median, 2, 1e-12);
  EXPECT_FALSE(tuning.rows[*tuning.chosen].against_chosen);
  EXPECT_EQ(tuning.find("ddp"), tuning.find("synceasgd"));
  EXPECT_EQ(tuning.find("horovod"), nullptr);
}

TEST(Tuning, TakesTheBestFixedStrategyWhereTheLeaderIsNotProven) {
  RunResult result = race();
  for (int round = 0; round < 24; ++round) {
    const auto i = static_cast<std::size_t>(round);
    result.strategies[1].samples[i].iteration = round % 2 == 0 ? 0.10 : 0.12;
    result.strategies[2].samples[i].iteration = round % 2 == 0 ? 0.11 : 0.105;
  }
  const Tuning tuning = summarize_tuning(result);
  EXPECT_EQ(tuning.rows[*tuning.chosen].name, "synceasgd");
  EXPECT_NE(format_tuning(result, tuning, {}).find("best fixed strategy"), std::string::npos)
      << format_tuning(result, tuning, {});
}

TEST(Tuning, TheChosenPlanIsSavedWithWhatItWasMeasuredToTake) {
  const RunResult result = race();
  const PlanFile plan = chosen_plan(result, summarize_tuning(result));
  EXPECT_EQ(plan.name, "tuned");
  EXPECT_EQ(plan.origin, "exact plan with cost-x2");
  EXPECT_EQ(plan.plan(), MergePlan({2, 6}));
  EXPECT_EQ(plan.ranks, result.ranks);
  EXPECT_EQ(plan.emulated, result.emulated);
  EXPECT_EQ(plan.measured->samples, 24U);
  EXPECT_NO_THROW(plan_from_yaml(to_yaml(plan), "p.yaml", result.profile));
}

TEST(Tuning, ReportsCandidatesWinnerGainsAndHowToRunIt) {
  const RunResult result = race();
  const std::string text = format_tuning(result, summarize_tuning(result), {"results/x.yaml", "mgbench run --plan x"});
  for (const std::string part :
       {"cost-x2", "dropped after 9 rounds: slower than cost-x2", "stayed to the end; the same plan: ddp",
        "Chosen: cost-x2, 2 messages (exact plan with cost-x2).", "2.000 times as fast as wfbp (2.000 to 2.000)",
        "1.500 times as fast as synceasgd", "1.500 times as fast as ddp", "Plan: results/x.yaml\n",
        "Run it: mgbench run --plan x\n", "Ended: all others are dropped after 24 rounds."})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  std::size_t widest = 0;
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    if (text.compare(begin, 9, "Reproduce") != 0) widest = std::max(widest, end - begin);
  EXPECT_LE(widest, 100U) << text;
}

TEST(Tuning, SaysThatFewRoundsProveNothing) {
  RunResult result = race();
  for (StrategyResult& strategy : result.strategies) {
    strategy.samples.resize(5);
    strategy.dropped.reset();
  }
  const std::string text = format_tuning(result, summarize_tuning(result), {}, 1000);
  EXPECT_NE(text.find("Chosen: synceasgd, 2 messages, the least median of the fixed strategies after 5 rounds."),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("NOTHING IS CERTAIN YET, give it a longer --budget."), std::string::npos) << text;
}

TEST(Tuning, HasAJsonForm) {
  const RunResult result = race();
  const auto json = nlohmann::json::parse(tuning_to_json(result, summarize_tuning(result), {"x.yaml", "run"}));
  EXPECT_EQ(json["chosen"], "cost-x2");
  EXPECT_EQ(json["best_fixed"], "synceasgd");
  EXPECT_EQ(json["plan_file"], "x.yaml");
  EXPECT_EQ(json["candidates"].size(), 3U);
  EXPECT_TRUE(json["candidates"][0]["against_chosen"].is_null());
  EXPECT_EQ(json["candidates"][2]["dropped"]["rounds"], 9);
  EXPECT_EQ(json["candidates"][2]["against_chosen"]["distinguishable"], true);
}

TEST(Tuning, WithoutAnyTimesThereIsNoPlan) {
  RunResult result = race();
  for (StrategyResult& strategy : result.strategies) strategy.failure = "wrong sums";
  const Tuning tuning = summarize_tuning(result);
  EXPECT_FALSE(tuning.chosen);
  EXPECT_THROW(chosen_plan(result, tuning), Error);
  EXPECT_NE(format_tuning(result, tuning, {}).find("wfbp FAILED: wrong sums"), std::string::npos);
  EXPECT_TRUE(nlohmann::json::parse(tuning_to_json(result, tuning, {}))["chosen"].is_null());
}

TEST(Tuning, AFailedCandidateHasItsReasonAndTheOthersGoOn) {
  RunResult result = race();
  result.strategies[2].failure = "wrong sums";
  const Tuning tuning = summarize_tuning(result);
  EXPECT_EQ(tuning.rows[*tuning.chosen].name, "synceasgd");
  EXPECT_NE(format_tuning(result, tuning, {}).find("FAILED: wrong sums"), std::string::npos);
}

}  // namespace
}  // namespace mgbench

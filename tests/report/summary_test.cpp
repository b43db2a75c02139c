#include "report/summary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "base/error.h"
#include "report/examples.h"
#include "report/json.h"

namespace mgbench {
namespace {

/// A run whose numbers are easy to compute by hand: `n` samples of each strategy.
RunResult plain_run(const std::vector<std::pair<std::string, Seconds>>& iterations, int n = 8) {
  RunResult result;
  result.model = "tiny";
  result.backend = "eigen";
  result.communicator = "mpi-async";
  result.ranks = 4;
  result.threads = 1;
  result.batch = 2;
  result.profile = example_profile();
  for (const auto& [name, iteration] : iterations) {
    StrategyResult strategy;
    strategy.strategy = name;
    strategy.group_ends = {2, 6};
    strategy.group_bytes = {100, 200};
    strategy.predicted.iteration = 0.11;
    for (int i = 0; i < n; ++i)
      strategy.samples.push_back({.round = i,
                                  .position = 1,
                                  .slowest_rank = 0,
                                  .iteration = iteration,
                                  .forward = 0.02,
                                  .backward = 0.05,
                                  .exposed = 0.03,
                                  .update = 0,
                                  .rejected = false});
    result.strategies.push_back(strategy);
  }
  for (int i = 0; i < n; ++i) {
    Sample sample;
    sample.backward = 0.04;
    result.without_communication.push_back(sample);
  }
  return result;
}

const SummaryRow& row(const std::vector<SummaryRow>& rows, const std::string& name) {
  return *std::find_if(rows.begin(), rows.end(),
                       [&](const SummaryRow& candidate) { return candidate.strategy == name; });
}

std::size_t longest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);)
    if (line.rfind("Reproduce: ", 0) != 0) longest = std::max(longest, line.size());
  return longest;
}

std::string flat(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  for (std::size_t at = 0; (at = text.find("  ", at)) != std::string::npos;) text.erase(at, 1);
  return text;
}

TEST(Summary, HasTheThreeStrategiesOfThePaperFirst) {
  const auto rows = summarize(example_run());
  std::vector<std::string> names(rows.size());
  std::transform(rows.begin(), rows.end(), names.begin(), [](const SummaryRow& entry) { return entry.strategy; });
  EXPECT_EQ(names, (std::vector<std::string>{"wfbp", "synceasgd", "mg-wfbp", "mg-wfbp-greedy", "ddp", "horovod"}));
}

TEST(Summary, SaysWhichPartOfAPredictionIsOff) {
  RunResult result = example_run();
  EXPECT_EQ(format_summary(result, 10000).find("Measured beside predicted"), std::string::npos);
  StrategyResult& wfbp = strategy(result, "wfbp");
  for (Sample& sample : wfbp.samples) sample.iteration += 0.030;
  wfbp.measured.iteration = wfbp.predicted.iteration + 0.030;
  wfbp.measured.communication_end = wfbp.predicted.communication_end + 0.030;
  wfbp.measured.messages.back().end += 0.030;
  wfbp.transfers.back() += 0.030;
  const std::string text = format_summary(result, 10000);
  EXPECT_NE(text.find("Measured beside predicted: wfbp +35"), std::string::npos) << text;
  EXPECT_NE(text.find("messages +29.5 ms"), std::string::npos) << text;
}

TEST(Summary, FindsMgWfbpBehindAnEqualPlan) {
  RunResult result = plain_run({{"wfbp", 0.16}, {"ddp", 0.1}});
  EXPECT_FALSE(row(summarize(result), "wfbp").mg_wfbp_speedup);
  strategy(result, "ddp").same = {"mg-wfbp"};
  const auto rows = summarize(result);
  EXPECT_NEAR(row(rows, "wfbp").mg_wfbp_speedup.value().median, 1.6, 1e-12);
  EXPECT_FALSE(row(rows, "ddp").mg_wfbp_speedup);
}

TEST(Summary, ComputesItsColumns) {
  RunResult result = plain_run({{"wfbp", 0.16}, {"mg-wfbp", 0.1}});
  result.alone = MedianEstimate{.median = 0.07, .interval = {}, .samples = 3};
  const auto rows = summarize(result);
  const SummaryRow& wfbp = row(rows, "wfbp");
  EXPECT_EQ(wfbp.messages, 2U);
  EXPECT_DOUBLE_EQ(wfbp.iteration.median, 0.16);
  EXPECT_DOUBLE_EQ(wfbp.forward, 0.02);
  EXPECT_DOUBLE_EQ(wfbp.backward, 0.05);
  EXPECT_NEAR(wfbp.overlap_cost, 0.01, 1e-15);
  EXPECT_DOUBLE_EQ(wfbp.exposed, 0.03);
  EXPECT_DOUBLE_EQ(wfbp.throughput, 50);  // 4 ranks of 2 images in 160 ms
  EXPECT_DOUBLE_EQ(wfbp.mg_wfbp_speedup.value().median, 1.6);
  EXPECT_NEAR(row(rows, "mg-wfbp").prediction_error, 0.1, 1e-12);
  EXPECT_DOUBLE_EQ(row(rows, "mg-wfbp").efficiency.value(), 0.7);
  EXPECT_FALSE(row(rows, "mg-wfbp").mg_wfbp_speedup);
}

TEST(Summary, TakesBackwardAloneFromTheProfileWhereThereAreNoSamples) {
  RunResult result = plain_run({{"wfbp", 0.16}});
  result.without_communication.clear();
  EXPECT_NEAR(summarize(result)[0].overlap_cost, 0.05 - result.profile.backward(), 1e-15);
}

TEST(Summary, PairsByRoundAndNeverWithRejectedSamples) {
  RunResult result = plain_run({{"wfbp", 0}, {"mg-wfbp", 0}}, 10);
  auto& wfbp = strategy(result, "wfbp").samples;
  auto& merged = strategy(result, "mg-wfbp").samples;
  // Rounds drift by a factor of ten; within one the ratio is 2.
  for (int i = 0; i < 10; ++i) {
    merged[i].iteration = 1.0 + i;
    wfbp[i].iteration = 2.0 * (1.0 + i);
  }
  std::reverse(wfbp.begin(), wfbp.end());
  wfbp[1].iteration = 1e6;
  wfbp[1].rejected = true;
  merged[0].iteration = 1e-6;
  merged[0].rejected = true;
  merged.pop_back();
  merged[4].round = 77;
  const SummaryRow summary = row(summarize(result), "wfbp");
  EXPECT_EQ(summary.samples, 9U);
  EXPECT_EQ(summary.rejected, 1U);
  const MedianEstimate& ratio = summary.mg_wfbp_speedup.value();
  EXPECT_EQ(ratio.samples, 6U) << "of ten: one rejected on each side, one popped, one of another round";
  EXPECT_DOUBLE_EQ(ratio.median, 2);
  EXPECT_DOUBLE_EQ(ratio.interval.value().low, 2);
  EXPECT_DOUBLE_EQ(ratio.interval.value().high, 2);
}

TEST(Summary, HasNoNumbersForAFailedStrategy) {
  RunResult result = example_run();
  strategy(result, "mg-wfbp").failure = "parameters differ between ranks 0 and 3 after two steps (conv1.weight)";
  for (Sample& sample : strategy(result, "ddp").samples) sample.rejected = true;
  strategy(result, "horovod").samples.clear();
  const auto rows = summarize(result);
  EXPECT_FALSE(row(rows, "wfbp").mg_wfbp_speedup);
  EXPECT_EQ(row(rows, "mg-wfbp").iteration.samples, 0U);
  EXPECT_EQ(row(rows, "ddp").failure, "every sample was rejected");
  EXPECT_NE(format_summary(result, 10000).find("overran its deadline. Stop what else computes here"),
            std::string::npos);
  EXPECT_EQ(row(rows, "horovod").failure, "no iteration was timed");
  for (const std::size_t width : {80, 100, 160}) {
    const std::string text = format_summary(result, width);
    EXPECT_NE(flat(text).find("mg-wfbp FAILED: parameters differ between ranks 0 and 3 after two steps (conv1.weight)"),
              std::string::npos)
        << text;
    EXPECT_EQ(text.find("181."), std::string::npos) << text;
    EXPECT_NE(flat(text).find("the fastest by median is mg-wfbp-greedy: "), std::string::npos) << text;
  }
  const auto json = nlohmann::json::parse(summary_to_json(result));
  EXPECT_TRUE(json[2]["iteration_seconds"].is_null());
  EXPECT_TRUE(json[0]["mg_wfbp_speedup"].is_null());
  EXPECT_EQ(json[2]["failure"], "parameters differ between ranks 0 and 3 after two steps (conv1.weight)");
}

TEST(Summary, SaysWhenNothingWasMeasured) {
  RunResult result = example_run();
  for (StrategyResult& entry : result.strategies) entry.failure = "the loss is not finite";
  EXPECT_NE(format_summary(result).find("No strategy has times."), std::string::npos);
}

TEST(SummaryTable, FitsTheWidth) {
  for (const std::size_t samples : {3, 30})
    for (std::size_t width = 80; width <= 160; ++width)
      EXPECT_LE(longest_line(format_summary(example_run(samples), width)), width)
          << format_summary(example_run(samples), width);
}

TEST(SummaryTable, IsOneTableWhereThereIsRoom) {
  EXPECT_EQ(format_summary(example_run(), 160).find("Where the time goes"), std::string::npos);
  EXPECT_NE(format_summary(example_run(), 100).find("Where the time goes"), std::string::npos);
  EXPECT_NE(format_summary(example_run(), 100).find("95 % interval"), std::string::npos);
}

TEST(SummaryTable, MarksEmulationWhereverItSpeaks) {
  RunResult result = example_run();
  EXPECT_EQ(format_summary(result).find("EMULATED 10GbE as 64 ranks | resnet50 on onednn | "), 0U);
  EXPECT_NE(flat(format_summary(result)).find("On the emulated 10GbE as 64 ranks the fastest by median is mg-wfbp: "),
            std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(summary_to_json(result))[0]["emulated"], "10GbE as 64 ranks");
  result.emulated.clear();
  const std::string text = format_summary(result);
  EXPECT_EQ(text.find("resnet50 on onednn | 8 ranks x 1 thread | 4 images a rank | emulated(mpi-async)\n"), 0U) << text;
  EXPECT_EQ(text.find("EMULATED"), std::string::npos);
}

TEST(SummaryText, GivesTheVerdictWithIntervals) {
  const std::string text = flat(format_summary(example_run()));
  EXPECT_NE(text.find("the fastest by median is mg-wfbp: 3.05"), std::string::npos) << text;
  EXPECT_NE(text.find(" times as fast as synceasgd (1.5"), std::string::npos) << text;
  EXPECT_NE(text.find("not distinguishable from horovod"), std::string::npos) << text;
  EXPECT_EQ(text.find("from ddp"), std::string::npos) << text;
}

TEST(SummaryText, DoesNotCallMgWfbpTheFastestWhereItIsNot) {
  const std::string text = flat(format_summary(plain_run({{"wfbp", 0.16}, {"mg-wfbp", 0.11}, {"ddp", 0.1}})));
  EXPECT_NE(text.find("The fastest by median is ddp: 1.600 times as fast as wfbp (1.600 to 1.600), 1.100 times as fast "
                      "as mg-wfbp"),
            std::string::npos)
      << text;
}

TEST(SummaryText, CallsAnIntervalAroundOneNotDistinguishable) {
  RunResult result = plain_run({{"wfbp", 0.1}, {"mg-wfbp", 0.1}});
  auto& samples = strategy(result, "wfbp").samples;
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i].iteration *= i % 2 == 0 ? 0.99 : 1.02;
  const std::string text = format_summary(result);
  EXPECT_NE(text.find("not distinguishable\n"), std::string::npos) << text;
  EXPECT_NE(flat(text).find("The fastest by median is mg-wfbp: not distinguishable from wfbp (0.990 to 1.020)"),
            std::string::npos)
      << text;
}

TEST(SummaryText, SaysThatUnderSixRoundsThereIsNoInterval) {
  const std::string text = flat(format_summary(example_run(20)));  // four a round
  EXPECT_NE(text.find("Samples a strategy: 20, in 5 rounds."), std::string::npos) << text;
  EXPECT_NE(text.find("Fewer than six rounds: there is no 95 % interval"), std::string::npos) << text;
  EXPECT_NE(text.find("(5 rounds"), std::string::npos) << text;
  EXPECT_EQ(flat(format_summary(example_run(24))).find("Fewer than six"), std::string::npos);
}

TEST(SummaryText, ListsRejectionsRemarksAndTheCommand) {
  RunResult result = example_run();
  strategy(result, "ddp").samples[3].rejected = true;
  result.remarks = {"two ranks share a core"};
  const std::string text = format_summary(result, 80);
  EXPECT_NE(flat(text).find("1 of 30 samples of ddp were rejected"), std::string::npos);
  EXPECT_EQ(flat(text).find("Stop what else computes here"), std::string::npos) << "29 are left";
  EXPECT_NE(text.find("Note: two ranks share a core\n"), std::string::npos);
  EXPECT_NE(text.find("Samples a strategy: 29 to 30, in 8 rounds. Ended: every interval under 2 %.\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\nReproduce: " + result.command + "\n"), std::string::npos);
}

TEST(SummaryText, SaysWhyACommunicatorWasTaken) {
  RunResult result = example_run();
  EXPECT_EQ(format_summary(result).find("Communicator:"), std::string::npos);
  result.communicator_choice =
      CommunicatorChoice{.chosen = "mpi-poll", .reason = "Communicator: mpi-poll, since.", .candidates = {}};
  EXPECT_NE(format_summary(result).find("\nCommunicator: mpi-poll, since.\n"), std::string::npos);
}

TEST(SummaryJson, HasOneObjectAStrategy) {
  const auto json = nlohmann::json::parse(summary_to_json(example_run()));
  ASSERT_EQ(json.size(), 6U);
  EXPECT_EQ(json[0]["strategy"], "wfbp");
  EXPECT_NEAR(json[0]["iteration_seconds"].get<double>(), 0.553, 0.01);
  EXPECT_EQ(json[0]["predicted_iteration_seconds"], 0.5490);
  EXPECT_EQ(json[0]["iteration_interval_seconds"].size(), 2U);
  EXPECT_EQ(json[0]["messages"], 6);
  EXPECT_EQ(json[0]["samples"], 30);
  EXPECT_EQ(json[0]["rounds"], 8);
  EXPECT_TRUE(json[2]["mg_wfbp_speedup"].is_null());
  const auto few = nlohmann::json::parse(summary_to_json(example_run(4)));
  EXPECT_TRUE(few[0]["iteration_interval_seconds"].is_null());
}

}  // namespace
}  // namespace mgbench

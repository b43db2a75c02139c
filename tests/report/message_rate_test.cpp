#include "report/message_rate.h"

#include <gtest/gtest.h>

#include "report/examples.h"
#include "report/summary.h"

namespace mgbench {
namespace {

/// A run of one strategy whose messages each have `bytes` and, from after backward on, `ratio` times the calibrated
/// time (the example's: 523 us + 0.8571 ns/B).
RunResult run_at(const std::vector<double>& ratios, Bytes bytes = Bytes{1} << 20) {
  RunResult result = example_run();
  StrategyResult strategy = result.strategies.front();
  strategy.measured = {.backward_end = 0.1, .messages = {}};
  strategy.group_ends.clear();
  strategy.group_bytes.clear();
  strategy.transfers.clear();
  for (const double ratio : ratios) {
    const Seconds start = 0.1 + static_cast<double>(strategy.group_ends.size());
    const Seconds time = 523e-6 + 0.8571e-9 * static_cast<double>(bytes);
    strategy.measured.messages.push_back({.ready = 0.05, .start = start, .end = start + ratio * time});
    strategy.group_ends.push_back(strategy.group_ends.size() + 1);
    strategy.group_bytes.push_back(bytes);
  }
  result.strategies = {strategy};
  return result;
}

TEST(MessageRate, IsAllOfMeasuredByAllOfCalibrated) {
  const auto rate = message_rate(run_at({1, 1.9, 5}));
  ASSERT_TRUE(rate);
  EXPECT_NEAR(rate->ratio, (1 + 1.9 + 5) / 3, 1e-6);
  EXPECT_EQ(rate->messages, 3U);
}

TEST(MessageRate, LeavesOutMessagesThatComputationRunsBeside) {
  RunResult result = run_at({2, 3});
  result.strategies[0].measured.messages[1].start = 0.099;
  EXPECT_NEAR(message_rate(result).value().ratio, 2, 1e-6);
  result.strategies[0].measured.messages[0].start = 0.099;
  EXPECT_FALSE(message_rate(result));
}

TEST(MessageRate, LeavesOutTheWaitForLaterRanks) {
  RunResult result = run_at({1, 1.9, 5});
  const Seconds calibrated = result.strategies[0].measured.messages[0].end - 0.1;
  result.strategies[0].transfers.assign(3, calibrated);
  EXPECT_NEAR(message_rate(result).value().ratio, 1, 1e-6);
}

TEST(MessageRate, IsNoneWithoutCalibrationAndOfFailedStrategies) {
  RunResult failed = run_at({2});
  failed.strategies[0].failure = "wrong sums";
  EXPECT_FALSE(message_rate(failed));
  RunResult planned = run_at({2});
  planned.calibration.curves.clear();
  EXPECT_FALSE(message_rate(planned));
}

TEST(MessageRate, IsNamedWhenOffByMoreThanAQuarter) {
  struct Case {
    double ratio;
    bool named;
  };
  for (const auto& [ratio, named] :
       {Case{0.5, true}, {0.74, true}, {0.76, false}, {1, false}, {1.24, false}, {1.26, true}}) {
    const RunResult result = run_at({ratio});
    EXPECT_EQ(is_another_rate(message_rate(result).value()), named) << ratio;
    const std::string text = format_summary(result, 10000);
    EXPECT_EQ(text.find("times as long as calibrated, with all ranks in (1 of them)") != std::string::npos, named)
        << text;
  }
}

}  // namespace
}  // namespace mgbench

#include "report/figure_lines.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/examples.h"
#include "report/summary.h"
#include "support/figure_lines.h"

namespace mgbench {
namespace {

RunResult run_of(std::size_t strategies) {
  RunResult result = example_run();
  result.strategies.resize(strategies);
  return result;
}

std::vector<std::string> keys_of(const std::vector<Figure>& figures) {
  std::vector<std::string> keys;
  for (const Figure& figure : figures) keys.push_back(figure.key);
  return keys;
}

TEST(FigureLines, AreWhatJsonSaysOfTheStrategies) {
  const RunResult result = run_of(3);
  const std::map<std::string, FigureLine> lines = figure_lines(format_figures(run_figures(result)));
  const auto expect_line = [&](const std::string& key, double value, const std::string& unit) {
    ASSERT_TRUE(lines.contains(key)) << key;
    EXPECT_NEAR(lines.at(key).value, value, 1e-5 * std::abs(value)) << key;
    EXPECT_EQ(lines.at(key).unit, unit) << key;
  };
  const auto rows = nlohmann::json::parse(summary_to_json(result));
  ASSERT_EQ(rows.size(), 3U);
  for (const auto& row : rows) {
    const std::string name = row.at("strategy");
    expect_line("iteration/" + name, row.at("iteration_seconds"), "s");
    expect_line("iteration/" + name + "/low", row.at("iteration_interval_seconds")[0], "s");
    expect_line("iteration/" + name + "/high", row.at("iteration_interval_seconds")[1], "s");
    expect_line("efficiency/" + name, 100 * row.at("efficiency").get<double>(), "%");
    expect_line("error/" + name, 100 * row.at("prediction_error").get<double>(), "%");
  }
  expect_line("latency", 5.23e-4, "s");
  const double largest = 64 << 20;  // of the example's curve, whose points lie on the line
  expect_line("bus_bandwidth", 2 * 7.0 / 8 * largest / (5.23e-4 + 8.571e-10 * largest) / 1e9, "GB/s");
  EXPECT_EQ(lines.size(), 17U);
}

TEST(FigureLines, AreFewHoweverManyStrategies) {
  EXPECT_EQ(keys_of(run_figures(run_of(1))),
            (std::vector<std::string>{"iteration/mg-wfbp", "iteration/mg-wfbp/low", "iteration/mg-wfbp/high",
                                      "efficiency/mg-wfbp", "error/mg-wfbp", "latency", "bus_bandwidth"}));
  const std::vector<std::string> keys = keys_of(run_figures(example_run()));
  EXPECT_EQ(keys.size(), 14U);
  EXPECT_EQ(keys[0], "iteration/wfbp");
  EXPECT_EQ(keys[1], "efficiency/wfbp");
}

TEST(FigureLines, LeaveOutWhatWasNotMeasured) {
  RunResult result = run_of(2);
  result.strategies[1].failure = "wrong sums";
  result.strategies[0].samples.resize(8);  // two rounds have no interval
  result.alone.reset();
  result.calibration = {};
  EXPECT_EQ(keys_of(run_figures(result)), (std::vector<std::string>{"iteration/mg-wfbp", "error/mg-wfbp"}));
  result.strategies[0].failure = "wrong sums";
  EXPECT_EQ(format_figures(run_figures(result)), "");
}

TEST(FigureLines, OneRankHasNoBandwidth) {
  RunResult result = run_of(1);
  result.calibration = example_calibration(1);
  EXPECT_EQ(keys_of(run_figures(result)).back(), "latency");
}

TEST(FigureLines, TellHowFarRanksLieApart) {
  RunResult result = run_of(1);
  result.computation = RankTimes{.typical = 2, .slowest = {{.rank = 3, .host = "h", .seconds = 2.5}}};
  const auto lines = figure_lines(format_figures(run_figures(result)));
  EXPECT_EQ(lines.at("rank_spread").value, 1.25);
  EXPECT_EQ(lines.at("rank_spread").unit, "ratio");
}

TEST(FigureLines, OfEqualPlansStandUnderEachName) {
  RunResult result = run_of(1);
  result.strategies[0].same = {"ddp"};
  const auto lines = figure_lines(format_figures(run_figures(result)));
  EXPECT_EQ(lines.at("iteration/ddp").value, lines.at("iteration/mg-wfbp").value);
}

TEST(FigureLines, OfTuningAreTheStrategiesAndThePlan) {
  RunResult result = example_run();
  StrategyResult plan = strategy(result, "mg-wfbp");
  plan.strategy = "cost-x2";
  plan.origin = "exact plan with cost-x2";
  for (Sample& sample : plan.samples) sample.iteration /= 2;
  result.strategies.push_back(plan);
  strategy(result, "ddp").failure = "wrong sums";
  const std::vector<Figure> figures = tuning_figures(result, summarize_tuning(result));
  EXPECT_EQ(keys_of(figures),
            (std::vector<std::string>{"iteration/tuned", "iteration/wfbp", "iteration/synceasgd", "iteration/mg-wfbp",
                                      "iteration/mg-wfbp-greedy", "iteration/horovod", "latency", "bus_bandwidth"}));
  EXPECT_EQ(figures[0].value, plan.iteration().median);
}

}  // namespace
}  // namespace mgbench

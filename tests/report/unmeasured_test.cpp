#include "report/unmeasured.h"

#include <gtest/gtest.h>

#include "report/comparison.h"
#include "report/criteria.h"
#include "report/examples.h"

namespace mgbench {
namespace {

using Reasons = std::map<std::string, std::string>;

/// A run in which WFBP has `rounds` rounds, those from `rejected_from` on without a sample that counts.
RunResult run_with(std::size_t rounds, std::size_t rejected_from) {
  RunResult result = example_run();
  std::vector<Sample>& samples = strategy(result, "wfbp").samples;
  std::erase_if(samples, [&](const Sample& sample) { return static_cast<std::size_t>(sample.round) >= rounds; });
  for (Sample& sample : samples) sample.rejected = static_cast<std::size_t>(sample.round) >= rejected_from;
  return result;
}

TEST(Unmeasured, AreStrategiesWithFewerRoundsThanAnIntervalTakes) {
  EXPECT_EQ(unmeasured_strategies(example_run()), Reasons());
  EXPECT_EQ(unmeasured_strategies(run_with(6, 6)), Reasons());
  EXPECT_EQ(unmeasured_strategies(run_with(5, 5)),
            (Reasons{{"wfbp", "5 rounds, expected 6 at least, which an interval takes"}}));
  EXPECT_EQ(unmeasured_strategies(run_with(7, 1)),
            (Reasons{{"wfbp",
                      "1 round, expected 6 at least, which an interval takes; 24 of 28 samples were rejected (an "
                      "emulated message overran its deadline)"}}));
  EXPECT_EQ(format_unmeasured(run_with(7, 0)),
            "wfbp: all 28 samples were rejected (an emulated message overran its deadline)");
  RunResult once = run_with(1, 0);
  strategy(once, "wfbp").samples.resize(1);
  EXPECT_EQ(format_unmeasured(once), "wfbp: its only sample was rejected (an emulated message overran its deadline)");
  EXPECT_EQ(format_unmeasured(run_with(0, 0)), "wfbp: no iteration was timed");
}

TEST(Unmeasured, AreNotThoseWhoseOutcomeIsKnown) {
  RunResult result = run_with(0, 0);
  strategy(result, "wfbp").failure = "a wrong sum";
  strategy(result, "ddp").samples.clear();
  strategy(result, "ddp").dropped = Dropped{.rounds = 3, .by = "mg-wfbp"};
  EXPECT_EQ(unmeasured_strategies(result), Reasons());
}

TEST(Unmeasured, EndNoCheckAndNoComparisonWithZero) {
  RunResult result = run_with(7, 0);
  strategy(result, "wfbp").same = {"horovod"};
  std::erase_if(result.strategies, [](const StrategyResult& each) { return each.strategy == "horovod"; });
  const Measurement now = measurement_of(result, "now.json");
  for (const char* name : {"wfbp", "horovod"}) {
    const std::vector<Checked> checked = check_criteria(
        criteria_from_yaml(fmt::format("criteria:\n- {{name: a, metric: latency, at_most: 1, unit: s}}\n- {{name: b, "
                                       "metric: iteration/{}, at_most: 9, unit: s}}\n",
                                       name),
                           "c.yaml"),
        {now});
    EXPECT_EQ(checked.at(1).acceptance, Acceptance::not_measured);
    EXPECT_EQ(checked.at(1).reason,
              fmt::format("{}: all 28 samples were rejected (an emulated message overran its deadline)", name));
    EXPECT_EQ(exit_code(checked), ExitCode::not_measured);
  }
  const Comparison comparison = compare({measurement_of(example_run(), "before.json")}, now, Tolerances{});
  EXPECT_EQ(comparison.unmeasured.size(), 2U);
  EXPECT_EQ(comparison.exit_code(), ExitCode::not_measured);
  EXPECT_NE(format_comparison(comparison).find("wfbp had times before and could not be measured now: all 28 samples"),
            std::string::npos);
  EXPECT_NE(comparison_to_junit(comparison).find("<error message=\"all 28 samples"), std::string::npos);
}

TEST(Unmeasured, MakesNoCriteria) {
  const std::string text = criteria_template(measurement_of(run_with(5, 5), "r.json"));
  EXPECT_EQ(text.find("strategy: wfbp"), std::string::npos) << text;
  EXPECT_NE(text.find("strategy: mg-wfbp"), std::string::npos) << text;
}

TEST(Unmeasured, FewRoundsAreNoPass) {
  const std::vector<Criterion> criteria =
      criteria_from_yaml("criteria:\n- {name: a, metric: iteration/wfbp, at_most: 9, unit: s}\n", "c.yaml");
  EXPECT_EQ(exit_code(check_criteria(criteria, {measurement_of(run_with(6, 6), "r")})), ExitCode::ok);
  EXPECT_EQ(exit_code(check_criteria(criteria, {measurement_of(run_with(5, 5), "r")})), ExitCode::not_measured);
}

TEST(Unmeasured, FewRoundsAreNoComparison) {
  const std::vector<Measurement> before{measurement_of(example_run(), "before")};
  const Comparison enough = compare(before, measurement_of(run_with(6, 6), "now"), Tolerances{});
  EXPECT_EQ(enough.unmeasured, Reasons());
  const Comparison few = compare(before, measurement_of(run_with(5, 5), "now"), Tolerances{});
  EXPECT_EQ(few.unmeasured, (Reasons{{"wfbp", "5 rounds, expected 6 at least, which an interval takes"}}));
  EXPECT_EQ(few.exit_code(), ExitCode::not_measured);
}

TEST(Unmeasured, ACheckThatMeasuredNothingIsNoPassEvenIfNothingWasRequired) {
  const auto advisory = [](const char* metric) {
    return check_criteria(
        criteria_from_yaml(
            fmt::format("criteria:\n- {{name: a, metric: {}, at_most: 1, unit: s, required: false}}\n", metric),
            "c.yaml"),
        {measurement_of(example_calibration(8), "c")});
  };
  EXPECT_EQ(exit_code(advisory("latency")), ExitCode::ok);
  EXPECT_EQ(exit_code(advisory("iteration/wfbp")), ExitCode::not_measured);
}

TEST(Unmeasured, ACalibrationHasIntervalsForALineOrForAllWhereASignalEndedIt) {
  Calibration calibration = example_calibration(8);
  std::vector<CalibrationPoint>& points = calibration.curves.back().points;
  ASSERT_EQ(calibration.planning_curve().name, calibration.curves.back().name);
  for (CalibrationPoint& point : points) point.interval = Interval{point.seconds, point.seconds};
  EXPECT_EQ(unmeasured_sizes(calibration), "");
  points.back().interval.reset();
  EXPECT_EQ(unmeasured_sizes(calibration), "");
  calibration.provenance["ended"] = "stopped by SIGTERM";
  const std::size_t all = points.size();
  EXPECT_EQ(
      unmeasured_sizes(calibration),
      fmt::format("{0} of {1} sizes of an allreduce have an interval, which takes 6 samples; expected {1} at least",
                  all - 1, all));
  calibration.provenance.clear();
  for (std::size_t i = 2; i < all; ++i) points[i].interval.reset();
  EXPECT_EQ(unmeasured_sizes(calibration).find("2 of"), 0U);
}

}  // namespace
}  // namespace mgbench

#include "report/comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "report/examples.h"

namespace mgbench {
namespace {

/// A run that measured one figure.
Measurement measurement(const std::string& file, MedianEstimate value, const std::string& metric = "latency") {
  const MetricFamily& family = family_of(metric);
  return {.file = file,
          .date = "2026-11-" + file,
          .conditions = {{"ranks", "8"}, {"interconnect", "the real interconnect"}},
          .metrics = {{.name = metric, .quantity = family.quantity, .better = family.better, .value = value}}};
}

MedianEstimate without_interval(double median) {
  return {.median = median, .interval = std::nullopt, .samples = 5};
}

MedianEstimate certain(double median, double low, double high) {
  return {.median = median, .interval = Interval{low, high}, .samples = 12};
}

MetricComparison only(const Comparison& comparison) {
  EXPECT_EQ(comparison.metrics.size(), 1U);
  return comparison.metrics.at(0);
}

TEST(Comparison, OfAPairIsTheQuotientOfTwoMedians) {
  const MetricComparison metric = only(
      compare({measurement("01", certain(100, 90, 120))}, measurement("02", certain(150, 140, 180)), Tolerances{}));
  EXPECT_DOUBLE_EQ(metric.ratio, 1.5);
  const double below = std::hypot(std::log(150.0 / 140), std::log(120.0 / 100));
  EXPECT_NEAR(metric.interval->low, 1.5 * std::exp(-below), 1e-12);
  EXPECT_NEAR(metric.interval->high, 1.5 * std::exp(std::hypot(std::log(180.0 / 150), std::log(100.0 / 90))), 1e-12);
  EXPECT_NEAR(metric.least_found.value(), 1.05 * std::exp(2 * below), 1e-12);
  EXPECT_EQ(metric.verdict, Verdict::worse);
  EXPECT_TRUE(metric.of_this_pair_only());
}

TEST(Comparison, OfThreeRunsHoldsHowTheyDiffer) {
  const double d = 0.01;
  const MetricComparison metric =
      only(compare({measurement("01", without_interval(std::exp(-d))), measurement("02", without_interval(1)),
                    measurement("03", without_interval(std::exp(d)))},
                   measurement("04", without_interval(1.2)), Tolerances{}));
  const double arm = 4.302653 * d * std::sqrt(4.0 / 3);  // Student's t, two degrees of freedom
  EXPECT_NEAR(metric.baseline, 1, 1e-12);
  EXPECT_NEAR(metric.interval->low, 1.2 * std::exp(-arm), 1e-6);
  EXPECT_NEAR(metric.interval->high, 1.2 * std::exp(arm), 1e-6);
  EXPECT_EQ(metric.verdict, Verdict::worse);
  EXPECT_FALSE(metric.of_this_pair_only());
}

TEST(Comparison, IsNeverMoreCertainThanWithinRuns) {
  std::vector<Measurement> equal;
  for (const char* file : {"01", "02", "03", "05"}) equal.push_back(measurement(file, certain(1, 0.9, 1.1)));
  const MetricComparison metric = only(compare(equal, measurement("06", certain(1, 0.8, 1.2)), Tolerances{}));
  EXPECT_LE(metric.interval->low, 0.8);
  EXPECT_GE(metric.interval->high, 1.2);
}

TEST(Comparison, WorseIsOnlyAnIntervalBeyondTheTolerance) {
  const auto verdict = [](double low, double median, double high, const std::string& metric) {
    return only(compare({measurement("01", certain(1, 1, 1), metric)},
                        measurement("02", certain(median, low, high), metric), Tolerances{}))
        .verdict;
  };
  EXPECT_EQ(verdict(1.051, 1.1, 1.2, "latency"), Verdict::worse);
  EXPECT_EQ(verdict(1.049, 1.1, 1.2, "latency"), Verdict::not_distinguishable);
  EXPECT_EQ(verdict(0.951, 1, 1.049, "latency"), Verdict::same);
  EXPECT_EQ(verdict(0.949, 1, 1.049, "latency"), Verdict::not_distinguishable);
  EXPECT_EQ(verdict(0.951, 1, 1.051, "latency"), Verdict::not_distinguishable);
  EXPECT_EQ(verdict(0.8, 0.9, 0.949, "latency"), Verdict::better);
  EXPECT_EQ(verdict(0.8, 0.9, 0.951, "latency"), Verdict::not_distinguishable);
  EXPECT_EQ(verdict(1.051, 1.1, 1.2, "bus_bandwidth"), Verdict::better);
  EXPECT_EQ(verdict(0.8, 0.9, 0.949, "bus_bandwidth"), Verdict::worse);
}

TEST(Comparison, WithoutIntervalsDecidesNothing) {
  const Comparison comparison =
      compare({measurement("01", without_interval(1))}, measurement("02", certain(9, 8, 10)), Tolerances{});
  EXPECT_FALSE(only(comparison).interval);
  EXPECT_EQ(only(comparison).verdict, Verdict::not_distinguishable);
  EXPECT_EQ(comparison.exit_code(), ExitCode::not_measured);
}

TEST(Comparison, ExitCodesAreThoseOfAVerdict) {
  const auto code = [](double median) {
    return compare({measurement("01", certain(1, 1, 1))}, measurement("02", certain(median, median, median)),
                   Tolerances{})
        .exit_code();
  };
  EXPECT_EQ(code(1), ExitCode::ok);
  EXPECT_EQ(code(0.5), ExitCode::ok);
  EXPECT_EQ(code(2), ExitCode::verdict_failed);
  EXPECT_EQ(
      compare({measurement("01", certain(1, 1, 1))}, measurement("02", certain(1, 1, 1), "bus_bandwidth"), Tolerances{})
          .exit_code(),
      ExitCode::not_measured);
}

TEST(Comparison, ExposedCommunicationCountsByTheIteration) {
  Measurement before = measurement("01", certain(0.0001, 0.00009, 0.00011), "exposed/ddp");
  Measurement after = measurement("02", certain(0.0003, 0.00029, 0.00031), "exposed/ddp");
  before.metrics[0].beside = 0.0999;
  after.metrics[0].beside = 0.0997;
  const MetricComparison metric = only(compare({before}, after, Tolerances{}));
  EXPECT_NEAR(metric.ratio, 1.002, 1e-12);
  EXPECT_NEAR(metric.baseline, 0.0001, 1e-12);
  EXPECT_EQ(metric.verdict, Verdict::same);
}

TEST(Comparison, AStrategyThatFailsNowIsAFailure) {
  const RunResult before = example_run();
  RunResult after = before;
  strategy(after, "wfbp").failure = "sums are wrong";
  const Comparison comparison = compare({measurement_of(before, "a")}, measurement_of(after, "b"), Tolerances{});
  EXPECT_EQ(comparison.failures.at("wfbp"), "sums are wrong");
  EXPECT_EQ(comparison.exit_code(), ExitCode::verdict_failed);
  EXPECT_NE(std::find(comparison.gone.begin(), comparison.gone.end(), "iteration/wfbp"), comparison.gone.end());
  EXPECT_NE(format_comparison(comparison).find("wfbp had times before and failed now: sums are wrong"),
            std::string::npos);
}

TEST(Comparison, ListsWhatChangedInTheEnvironment) {
  RunResult before = example_run();
  RunResult after = before;
  before.environment["variable.UCX_TLS"] = "sm";
  after.environment["library.mpi"] = "Open MPI 4.1.5";
  after.environment["variable.OMPI_MCA_btl"] = "tcp|self\nx";
  const Comparison comparison = compare({measurement_of(before, "a")}, measurement_of(after, "b"), Tolerances{});
  ASSERT_EQ(comparison.environment.size(), 3U);
  const std::string text = format_comparison(comparison);
  EXPECT_NE(text.find("library.mpi: Open MPI 4.1.4 -> Open MPI 4.1.5"), std::string::npos) << text;
  EXPECT_NE(text.find("variable.UCX_TLS (gone): sm"), std::string::npos) << text;
  EXPECT_NE(text.find("variable.OMPI_MCA_btl (added): tcp|self"), std::string::npos) << text;
  const std::string markdown = comparison_to_markdown(comparison);
  EXPECT_NE(markdown.find("variable.OMPI\\_MCA\\_btl (added): tcp\\|self x\n"), std::string::npos) << markdown;
}

TEST(Comparison, RunsAreComparableOnlyUnderEqualConditions) {
  RunResult run = example_run();
  const Measurement baseline = measurement_of(run, "a.json");
  EXPECT_TRUE(differing_conditions({baseline}, measurement_of(run, "b.json")).empty());
  EXPECT_TRUE(
      differing_conditions({measurement_of(example_calibration(8), "c.yaml")}, measurement_of(run, "b")).size() == 1U)
      << "the run is emulated and the calibration is not";
  run.emulated.clear();
  run.threads = 2;
  const std::vector<std::string> differences =
      differing_conditions({baseline, baseline}, measurement_of(run, "b.json"));
  ASSERT_EQ(differences.size(), 2U);
  EXPECT_EQ(differences[0],
            "interconnect the emulated 10GbE as 64 ranks (a.json) against the real interconnect (b.json)");
  EXPECT_EQ(differences[1], "threads 1 (a.json) against 2 (b.json)");
}

/// A run of twelve rounds: noise of 1 % of each round, and of 1 % that all of its rounds share.
Measurement noisy_run(double iteration, int number, std::mt19937_64& random) {
  std::normal_distribution<double> noise(0, 0.01);
  const double mood = std::exp(noise(random));
  RunResult result;
  result.date = "2026-11-29T10:00:" + std::to_string(10 + number) + "Z";
  result.strategies.resize(1);
  result.strategies[0].strategy = "mg-wfbp";
  for (int round = 0; round < 12; ++round) {
    Sample sample;
    sample.round = round;
    sample.iteration = iteration * mood * std::exp(noise(random));
    result.strategies[0].samples.push_back(sample);
  }
  Measurement measurement = measurement_of(result, std::to_string(number));
  std::erase_if(measurement.metrics, [](const Metric& metric) { return metric.name != "iteration/mg-wfbp"; });
  return measurement;
}

class NoisyRuns : public testing::TestWithParam<int> {};

TEST_P(NoisyRuns, WhatIsSaidToBeFoundIsFoundAndNothingElse) {
  std::mt19937_64 random(20261130);
  constexpr int kCases = 1000;
  int held = 0;
  int false_alarms = 0;
  int found = 0;
  double least = 0;
  for (int i = 0; i < kCases; ++i) {
    std::vector<Measurement> baselines;
    for (int run = 0; run < GetParam(); ++run) baselines.push_back(noisy_run(1, run, random));
    const MetricComparison unchanged = only(compare(baselines, noisy_run(1, 20, random), Tolerances{}));
    held += unchanged.interval->low <= 1 && 1 <= unchanged.interval->high ? 1 : 0;
    false_alarms += unchanged.verdict == Verdict::worse ? 1 : 0;
    const double slowdown = unchanged.least_found.value();
    least += slowdown / kCases;
    const MetricComparison slower = only(compare(baselines, noisy_run(slowdown, 20, random), Tolerances{}));
    found += slower.verdict == Verdict::worse ? 1 : 0;
  }
  EXPECT_GE(held, 0.95 * kCases);
  EXPECT_LE(false_alarms, 0.02 * kCases);
  EXPECT_GE(found, 0.95 * kCases);
  RecordProperty("held", held);
  RecordProperty("false_alarms", false_alarms);
  RecordProperty("found", found);
  RecordProperty("mean_least_found", std::to_string(least));
}

INSTANTIATE_TEST_SUITE_P(ByBaselines, NoisyRuns, testing::Values(3, 5, 10));

TEST(Tolerances, AreByMetricThenByFamilyThenForAll) {
  const Tolerances tolerances =
      tolerances_from_yaml("default: 0.1\niteration: 0.03\niteration/ddp: 0.02\nallreduce/1024KiB: 0.2\n", "t.yaml");
  EXPECT_EQ(tolerances.of("iteration/ddp"), 0.02);
  EXPECT_EQ(tolerances.of("iteration/wfbp"), 0.03);
  EXPECT_EQ(tolerances.of("allreduce/1MiB"), 0.2);
  EXPECT_EQ(tolerances.of("allreduce/2MiB"), 0.1);
}

TEST(Tolerances, WrongOnesAreNamedWithTheirLine) {
  const auto error = [](const std::string& text) -> std::string {
    try {
      tolerances_from_yaml(text, "t.yaml");
    } catch (const Error& thrown) {
      return thrown.what();
    }
    return "";
  };
  EXPECT_EQ(error("default: 0.1\niteratoin: 0.03\n").find("t.yaml:2: iteratoin: unknown metric 'iteratoin'; did you"),
            0U)
      << error("default: 0.1\niteratoin: 0.03\n");
  EXPECT_EQ(error("default: 5\n").find("t.yaml:1: default: '5' is not valid"), 0U);
  EXPECT_EQ(error("default: 1\n").find("t.yaml:1: default: tolerance 1: expected a share"), 0U);
  EXPECT_EQ(error("{}\n").find("t.yaml:1: an empty mapping"), 0U);
}

}  // namespace
}  // namespace mgbench

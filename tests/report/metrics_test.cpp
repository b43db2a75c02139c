#include "report/metrics.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "report/examples.h"
#include "report/measurement.h"
#include "report/summary.h"

namespace mgbench {
namespace {

const Metric& metric(const std::vector<Metric>& metrics, const std::string& name) {
  const auto found =
      std::find_if(metrics.begin(), metrics.end(), [&](const Metric& each) { return each.name == name; });
  if (found == metrics.end()) throw std::out_of_range(name);
  return *found;
}

std::string error_of(const std::string& name) {
  try {
    metric_name(name);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Metrics, OfARunAreThoseOfItsSummary) {
  const RunResult run = example_run();
  const std::vector<Metric> metrics = metrics_of(run);
  for (const SummaryRow& row : summarize(run)) {
    const Metric& iteration = metric(metrics, "iteration/" + row.strategy);
    EXPECT_EQ(iteration.value.median, row.iteration.median);
    EXPECT_EQ(iteration.value.interval->low, row.iteration.interval->low);
    EXPECT_EQ(iteration.by_round.size(), row.iteration.samples);
    EXPECT_EQ(metric(metrics, "efficiency/" + row.strategy).value.median, row.efficiency);
    EXPECT_EQ(median(metric(metrics, "exposed/" + row.strategy).by_round),
              metric(metrics, "exposed/" + row.strategy).value.median);
  }
}

TEST(Metrics, ExposedCommunicationCountsBesideTheRestOfTheIteration) {
  const std::vector<Metric> metrics = metrics_of(example_run());
  const Metric& exposed = metric(metrics, "exposed/wfbp");
  EXPECT_DOUBLE_EQ(exposed.value.median + exposed.beside, metric(metrics, "iteration/wfbp").value.median);
  EXPECT_EQ(metric(metrics, "iteration/wfbp").beside, 0);
}

TEST(Metrics, EfficiencyIsAsUncertainAsBothOfItsTimes) {
  RunResult run = example_run();
  run.alone->interval = Interval{0.5 * run.alone->median, 2 * run.alone->median};
  const std::vector<Metric> metrics = metrics_of(run);
  const Metric& efficiency = metric(metrics, "efficiency/wfbp");
  EXPECT_LT(efficiency.value.interval->low, 0.51 * efficiency.value.median);
  EXPECT_GT(efficiency.value.interval->high, 1.99 * efficiency.value.median);
}

TEST(Metrics, OfACalibrationAreThoseOfTheCurveThatPlansAreMadeWith) {
  const Calibration calibration = example_calibration(8);
  const CalibrationCurve& engine = calibration.find("engine");
  const std::vector<Metric> metrics = metrics_of(calibration);
  EXPECT_EQ(metric(metrics, "latency").value.median, engine.fit.line.a);
  EXPECT_EQ(metric(metrics, "seconds_per_byte").value.interval->high, engine.fit.b_interval.high);
  EXPECT_EQ(metric(metrics, "allreduce/1KiB").value.median, engine.points.front().seconds);
  EXPECT_EQ(metric(metrics, "allreduce/64MiB").value.median, engine.points.back().seconds);
  const Metric& bandwidth = metric(metrics, "bus_bandwidth");
  EXPECT_DOUBLE_EQ(bandwidth.value.median, 1.75 * (64 << 20) / engine.points.back().seconds);
  EXPECT_DOUBLE_EQ(bandwidth.value.interval->low, bandwidth.value.median / 1.03);
  EXPECT_DOUBLE_EQ(bandwidth.value.interval->high, bandwidth.value.median / 0.98);
  EXPECT_EQ(bandwidth.better, Better::higher);
}

TEST(Metrics, StrategiesWithoutTimesHaveNoneAndEqualPlansHaveEachName) {
  RunResult run = example_run();
  strategy(run, "wfbp").failure = "sums are wrong";
  strategy(run, "ddp").same = {"my-plan"};
  const Measurement measurement = measurement_of(run, "run.json");
  EXPECT_EQ(measurement.find("iteration/wfbp"), nullptr);
  EXPECT_EQ(measurement.failures.at("wfbp"), "sums are wrong");
  ASSERT_NE(measurement.find("iteration/my-plan"), nullptr);
  EXPECT_EQ(measurement.find("iteration/my-plan")->value.median, measurement.find("iteration/ddp")->value.median);
}

TEST(Metrics, SpreadOfRanksIsTheSlowestByTheTypicalOne) {
  RunResult run = example_run();
  EXPECT_EQ(measurement_of(run, "").find("rank_spread"), nullptr);
  run.computation = RankTimes{.typical = 0.2, .slowest = {{.rank = 3, .seconds = 0.25}}};
  EXPECT_DOUBLE_EQ(measurement_of(run, "").find("rank_spread")->value.median, 1.25);
}

TEST(MetricName, IsWrittenInOneWay) {
  EXPECT_EQ(metric_name("allreduce/1024KiB"), "allreduce/1MiB");
  EXPECT_EQ(metric_name("allreduce/102228128"), "allreduce/102228128B");
  EXPECT_EQ(metric_name("allreduce/1536"), "allreduce/1536B");
  EXPECT_EQ(metric_name("iteration/mg-wfbp"), "iteration/mg-wfbp");
  EXPECT_EQ(metric_name("latency"), "latency");
}

TEST(MetricName, OfNoMetricIsRefused) {
  EXPECT_NE(error_of("iteratoin/ddp").find("did you mean 'iteration'?"), std::string::npos);
  EXPECT_NE(error_of("iteration").find("lacks its strategy"), std::string::npos);
  EXPECT_NE(error_of("allreduce").find("lacks its size"), std::string::npos);
  EXPECT_NE(error_of("allreduce/big").find("not a size"), std::string::npos);
  EXPECT_NE(error_of("allreduce/0").find("above 0"), std::string::npos);
  EXPECT_NE(error_of("latency/ddp").find("nothing behind it"), std::string::npos);
}

TEST(Metrics, OfPairsAreThoseOfTheWorst) {
  PairMatrix pairs{.nodes = {"a", "b", "c"},
                   .link_rates = {0, 2e9, 4e9},
                   .pairs = {{0, 1, 1e-6, 1e9}, {0, 2, 2e-6, 0.9e9}, {1, 2, 3e-6, 0.6e9}}};
  const std::vector<Metric> metrics = metrics_of(pairs);
  EXPECT_EQ(metric(metrics, "pair_latency").value.median, 3e-6);
  EXPECT_EQ(metric(metrics, "pair_bandwidth").value.median, 0.6e9);
  EXPECT_DOUBLE_EQ(metric(metrics, "pair_spread").value.median, 0.6 / 0.9);
  EXPECT_DOUBLE_EQ(metric(metrics, "link_share").value.median, 0.3);
  pairs.link_rates[1] = 0;
  EXPECT_EQ(metrics_of(pairs).size(), 3U);  // no pair of which both rates are told
}

TEST(Measurement, OfSavedPairsKnowsThemByTheirKeys) {
  const PairMatrix pairs{.nodes = {"a", "b"}, .link_rates = {0, 0}, .pairs = {{0, 1, 1e-6, 1e9}}};
  const Measurement measurement = measurement_from_text(pairs_to_json(pairs), "pairs.json");
  EXPECT_EQ(measurement.conditions.at("nodes"), "2");
  ASSERT_NE(measurement.find("pair_bandwidth"), nullptr);
  EXPECT_EQ(measurement.find("pair_bandwidth")->value.median, 1e9);
}

}  // namespace
}  // namespace mgbench

#include "report/history.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "report/examples.h"

namespace mgbench {
namespace {

/// A second with noise of 1 %, and what `shape` makes of it.
template <typename Shape>
std::vector<double> noisy(std::size_t n, std::mt19937_64& random, Shape shape) {
  std::normal_distribution<double> noise(0, 0.01);
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(shape(i) * std::exp(noise(random)));
  return values;
}

TEST(FindChange, IsSilentInNinetyNineOfAHundredWhereNothingChanges) {
  std::mt19937_64 random(1);
  int alarms = 0;
  for (std::size_t i = 0; i < 4000; ++i)
    alarms += find_change(noisy(4 + i % 27, random, [](std::size_t) { return 1.0; }), 0.01) ? 1 : 0;
  EXPECT_LE(alarms, 40);
}

TEST(FindChange, FindsAStepAndItsPlace) {
  std::mt19937_64 random(2);
  int found = 0;
  for (int i = 0; i < 300; ++i) {
    const auto change = find_change(noisy(12, random, [](std::size_t k) { return k < 7 ? 1.0 : 1.05; }), 0.01);
    if (!change || change->kind != Change::Kind::step || change->at != 7) continue;
    EXPECT_NEAR(change->ratio, 1.05, 0.03);
    ++found;
  }
  EXPECT_GE(found, 270);
}

TEST(FindChange, FindsAStepNearTheEnd) {
  std::mt19937_64 random(3);
  int found = 0;
  for (int i = 0; i < 300; ++i) {
    const auto change = find_change(noisy(20, random, [](std::size_t k) { return k < 18 ? 1.0 : 0.9; }), 0.01);
    found += change && change->kind == Change::Kind::step && change->at == 18 && change->ratio < 1 ? 1 : 0;
  }
  EXPECT_GE(found, 285);
}

TEST(FindChange, TellsATrendFromAStep) {
  std::mt19937_64 random(4);
  int found = 0;
  for (int i = 0; i < 300; ++i) {
    const auto change =
        find_change(noisy(20, random, [](std::size_t k) { return 1 + 0.1 * static_cast<double>(k) / 19; }), 0.01);
    if (!change || change->kind != Change::Kind::trend) continue;
    EXPECT_NEAR(change->ratio, 1.1, 0.04);
    ++found;
  }
  EXPECT_GE(found, 270);
}

TEST(FindChange, OfASteadyMachineIsExact) {
  EXPECT_FALSE(find_change({1, 1, 1}, 0.01));
  EXPECT_FALSE(find_change({1, 1, 1, 1, 1, 1}, 0.01));
  EXPECT_FALSE(find_change({1, 1, 1, 1.005, 1.005, 1.005}, 0.01)) << "less than 1 %";
  const auto change = find_change({1, 1, 1, 1.2, 1.2, 1.2}, 0.01);
  ASSERT_TRUE(change);
  EXPECT_EQ(change->kind, Change::Kind::step);
  EXPECT_EQ(change->at, 3U);
  EXPECT_NEAR(change->ratio, 1.2, 1e-12);
}

Measurement run(const std::string& date, double factor, int batch = 4) {
  RunResult result = example_run(24);
  result.date = date;
  result.batch = batch;
  for (Sample& sample : strategy(result, "ddp").samples) sample.iteration *= factor;
  return measurement_of(result, "run-" + date + ".json");
}

TEST(Histories, AreByConditionsAndDate) {
  const std::vector<Measurement> measurements{run("2026-11-05", 1.2), run("2026-11-01", 1), run("2026-11-03", 1),
                                              run("2026-11-02", 1),   run("2026-11-04", 1), run("2026-11-06", 1.2),
                                              run("2026-11-07", 9, 8)};
  const std::vector<History> found = histories(measurements);
  ASSERT_EQ(found.size(), 2U);
  ASSERT_EQ(found[0].runs.size(), 6U);
  EXPECT_EQ(found[0].runs[0]->date, "2026-11-01");
  EXPECT_EQ(found[1].runs.size(), 1U);
  for (const MetricHistory& metric : found[0].metrics) {
    ASSERT_EQ(metric.change.has_value(), metric.name == "iteration/ddp") << metric.name;
    if (!metric.change) continue;
    EXPECT_EQ(metric.runs[metric.change->at]->date, "2026-11-05");
    EXPECT_NEAR(metric.change->ratio, 1.2, 1e-9);
  }
  const std::string text = format_histories(found);
  EXPECT_NE(text.find("+20.0 %  step at 2026-11-05 (run-2026-11-05.json)"), std::string::npos) << text;
  EXPECT_NE(text.find("fewer than 4 runs"), std::string::npos) << text;
  EXPECT_NE(text.find("\nChanged: 1 of "), std::string::npos) << text;
  EXPECT_NE(text.find("\nNothing can be said yet: a change takes 4 runs.\n"), std::string::npos) << text;
  EXPECT_NE(histories_to_markdown(found).find("| +20.0 % | step at 2026-11-05"), std::string::npos);
}

}  // namespace
}  // namespace mgbench

#include "report/criteria.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "report/examples.h"
#include "source_folder.h"

namespace mgbench {
namespace {

std::vector<Criterion> criteria(const std::string& text) {
  return criteria_from_yaml("criteria:\n" + text, "c.yaml");
}

std::string error_of(const std::string& text) {
  try {
    criteria(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::bad_input);
    return error.what();
  }
  return "";
}

Measurement run() {
  return measurement_of(example_run(), "run.json");
}

Checked check_one(const std::string& text) {
  const std::vector<Checked> checked = check_criteria(criteria(text), {run()});
  EXPECT_EQ(checked.size(), 1U);
  return checked.at(0);
}

TEST(Criteria, AreMetByTheMedianInTheirUnit) {
  const double milliseconds = 1e3 * run().find("iteration/mg-wfbp")->value.median;
  const auto acceptance = [&](double bound, const std::string& side) {
    const Checked checked = check_one("- {name: fast, metric: iteration, strategy: mg-wfbp, " + side + ": " +
                                      std::to_string(bound) + ", unit: ms}\n");
    EXPECT_DOUBLE_EQ(checked.value, milliseconds);
    EXPECT_TRUE(checked.interval);
    return checked.acceptance;
  };
  EXPECT_EQ(acceptance(1.0001 * milliseconds, "at_most"), Acceptance::pass);
  EXPECT_EQ(acceptance(0.9999 * milliseconds, "at_most"), Acceptance::fail);
  EXPECT_EQ(acceptance(1.0001 * milliseconds, "at_least"), Acceptance::fail);
  EXPECT_EQ(acceptance(0.9999 * milliseconds, "at_least"), Acceptance::pass);
}

TEST(Criteria, SayWhenTheIntervalCrossesTheBound) {
  const Measurement measured = run();
  const Metric& metric = *measured.find("iteration/mg-wfbp");
  const auto text = [](double bound) {
    return fmt::format("- {{name: fast, metric: iteration/mg-wfbp, at_most: {}, unit: s}}\n", bound);
  };
  const Checked close = check_one(text((metric.value.median + metric.value.interval->high) / 2));
  EXPECT_EQ(close.acceptance, Acceptance::pass);
  EXPECT_TRUE(close.uncertain());
  EXPECT_NE(format_checked({close}).find("PASS, interval crosses"), std::string::npos);
  EXPECT_FALSE(check_one(text(1.01 * metric.value.interval->high)).uncertain());
}

TEST(Criteria, ShareOfALinkIsABandwidth) {
  const double rate = run().find("bus_bandwidth")->value.median / 1e9;
  const Checked checked =
      check_one(fmt::format("- {{name: link, metric: bus_bandwidth, at_least: 80, unit: '%', of: {}}}\n", 1.1 * rate));
  EXPECT_NEAR(checked.value, 100 / 1.1, 1e-9);
  EXPECT_EQ(checked.acceptance, Acceptance::pass);
  EXPECT_NEAR(check_one("- {name: eff, metric: efficiency/ddp, at_least: 50, unit: '%'}\n").value,
              100 * run().find("efficiency/ddp")->value.median, 1e-9);
}

TEST(Criteria, WhatIsNotMeasuredNeverPasses) {
  const Checked other = check_one("- {name: a, metric: latency, at_most: 1, unit: s, model: alexnet}\n");
  EXPECT_EQ(other.acceptance, Acceptance::not_measured);
  EXPECT_EQ(other.reason, "no result is of model alexnet");
  const Checked misspelt = check_one("- {name: a, metric: iteration/mg-wfpb, at_most: 1, unit: s}\n");
  EXPECT_EQ(misspelt.acceptance, Acceptance::not_measured);
  EXPECT_NE(misspelt.reason.find("did you mean 'iteration/mg-wfbp'?"), std::string::npos) << misspelt.reason;

  RunResult failed = example_run();
  strategy(failed, "ddp").failure = "sums are wrong";
  const std::vector<Checked> checked = check_criteria(
      criteria("- {name: a, metric: iteration/ddp, at_most: 1, unit: s}\n"), {measurement_of(failed, "f")});
  EXPECT_EQ(checked.at(0).reason, "ddp failed: sums are wrong");
}

TEST(Criteria, OnlyRequiredOnesDecide) {
  const std::string pass = "- {name: p, metric: latency, at_most: 1, unit: s}\n";
  const std::string fail = "- {name: f, metric: latency, at_most: 0, unit: s}\n";
  const std::string missing = "- {name: m, metric: rank_spread, at_most: 1, unit: ratio}\n";
  const std::string advice = "- {name: a, metric: latency, at_most: 0, unit: s, required: false}\n";
  const std::string unseen = "- {name: u, metric: rank_spread, at_most: 1, unit: ratio, required: false}\n";
  const auto code = [](const std::string& text) { return exit_code(check_criteria(criteria(text), {run()})); };
  EXPECT_EQ(code(pass), ExitCode::ok);
  EXPECT_EQ(code(pass + advice + unseen), ExitCode::ok);
  EXPECT_EQ(code(pass + fail), ExitCode::verdict_failed);
  EXPECT_EQ(code(pass + missing), ExitCode::not_measured);
  EXPECT_EQ(code(missing + fail), ExitCode::verdict_failed);
}

TEST(Criteria, AreHeldAgainstEveryResultThatTheyAreFor) {
  RunResult other = example_run();
  other.ranks = 16;
  const std::vector<Measurement> both{run(), measurement_of(other, "other.json")};
  EXPECT_EQ(check_criteria(criteria("- {name: a, metric: latency, at_most: 1, unit: s}\n"), both).size(), 2U);
  const auto checked = check_criteria(criteria("- {name: a, metric: latency, at_most: 1, unit: s, ranks: 16}\n"), both);
  ASSERT_EQ(checked.size(), 1U);
  EXPECT_EQ(checked[0].file, "other.json");
  EXPECT_EQ(check_criteria(criteria("- {name: a, metric: latency, at_most: 1, unit: s, batch: 4, ranks: 8}\n"), both)
                .at(0)
                .file,
            "run.json");
}

TEST(Criteria, WrongOnesAreNamedWithTheirLine) {
  const auto expect_error = [](const std::string& text, const std::string& part) {
    const std::string error = error_of(text);
    EXPECT_EQ(error.find("c.yaml:2"), 0U) << error;
    EXPECT_NE(error.find(part), std::string::npos) << error;
  };
  expect_error("- {name: a, metric: bus_bandwith, at_most: 1, unit: GB/s}\n", "did you mean 'bus_bandwidth'?");
  expect_error("- {name: a, metric: iteration, at_most: 1, unit: ms}\n", "lacks its strategy");
  expect_error("- {name: a, metric: latency, at_most: 1, unit: GB/s}\n", "the unit 'GB/s' does not fit the metric");
  expect_error("- {name: a, metric: bus_bandwidth, at_most: 1, unit: '%'}\n", "'of' tells in GB/s");
  expect_error("- {name: a, metric: latency, at_most: 1, unit: s, of: 2}\n", "is for bandwidths");
  expect_error("- {name: a, metric: latency, unit: s}\n", "there is none of them");
  expect_error("- {name: a, metric: latency, at_most: 1, at_least: 1, unit: s}\n", "not both");
  expect_error("- {name: a, metric: latency, atmost: 1, unit: s}\n", "did you mean 'at_most'?");
  expect_error("- {name: a, metric: latency, at_most: fast, unit: s}\n", "'fast' is not valid");
  expect_error("  []\n", "an empty list");
  EXPECT_EQ(error_of("- {name: a, metric: latency, at_most: 1, unit: s}\n- {name: a, metric: latency, at_most: 1, "
                     "unit: s}\n")
                .find("c.yaml:3: criteria[1].name: a second criterion 'a'"),
            0U);
}

TEST(CriteriaTemplate, IsMetByItsRunAndNotByASlowerOne) {
  const std::string text = criteria_template(run());
  const std::vector<Criterion> made = criteria_from_yaml(text, "made.yaml");
  EXPECT_GE(made.size(), 14U) << text;  // six strategies twice, and the interconnect
  for (const Checked& checked : check_criteria(made, {run()}))
    EXPECT_EQ(checked.acceptance, Acceptance::pass) << checked.criterion.name;

  RunResult slow = example_run();
  for (Sample& sample : strategy(slow, "ddp").samples) sample.iteration *= 1.15;
  for (const Checked& checked : check_criteria(made, {measurement_of(slow, "slow.json")}))
    EXPECT_EQ(checked.acceptance == Acceptance::fail, checked.criterion.metric.ends_with("/ddp"))
        << checked.criterion.name;

  RunResult bigger = example_run();
  bigger.batch = 8;
  EXPECT_EQ(exit_code(check_criteria(made, {measurement_of(bigger, "b.json")})), ExitCode::not_measured)
      << "times hold for a batch";
}

TEST(CriteriaTemplate, MarginsGrowWithTheSpreadOfRounds) {
  const auto bound = [](double noise) {
    Measurement measurement{.file = "a", .conditions = {{"ranks", "2"}, {"interconnect", "the real interconnect"}}};
    const std::vector<double> rounds{1 - noise, 1 - noise, 1, 1, 1 + noise, 1 + noise, 1 + noise};
    measurement.metrics = {{.name = "iteration/ddp", .value = {.median = 1}, .by_round = rounds}};
    return criteria_from_yaml(criteria_template(measurement), "t").at(0).bound;
  };
  EXPECT_NEAR(bound(0.001), 1050, 1e-9);
  EXPECT_NEAR(bound(0.04), 1000 * (1 + 3 * 1.4826 * 0.04), 0.5);
}

TEST(CriteriaTemplate, OfNothingIsRefused) {
  EXPECT_THROW(criteria_template({.file = "a", .conditions = {{"interconnect", "the real interconnect"}}}), Error);
}

TEST(ShippedCriteria, AreReadAndEachBoundHasItsSource) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(kSourceFolder) + "/configs/acceptance")) {
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    for (const Criterion& criterion : criteria_from_yaml(text.str(), entry.path().string()))
      EXPECT_NE(criterion.source, "") << entry.path() << " " << criterion.name;
    ++files;
  }
  EXPECT_GE(files, 2U);
}

TEST(CheckedReports, SayWhatFailedAndWhatWasEmulated) {
  const std::vector<Checked> checked =
      check_criteria(criteria("- {name: 'a|b<c>', metric: latency, at_most: 0, unit: us, source: the vendor}\n"
                              "- {name: spread, metric: rank_spread, at_most: 1, unit: ratio}\n"
                              "- {name: advice, metric: latency, at_most: 0, unit: s, required: false}\n"),
                     {run()});
  const std::string text = format_checked(checked);
  for (const char* part :
       {"FAIL", "NOT MEASURED", "FAIL (advisory)", "source: the vendor", "the emulated 10GbE as 64 ranks",
        "Required: 0 passed, 1 failed, 1 not measured. Advisory: 0 passed, 1 failed"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_NE(checked_to_markdown(checked).find("| a\\|b\\<c\\> | at most 0 us |"), std::string::npos);
  const std::string junit = checked_to_junit(checked);
  for (const char* part : {"tests=\"3\"", "failures=\"1\"", "errors=\"1\"", "skipped=\"1\"", "a|b&lt;c&gt;"})
    EXPECT_NE(junit.find(part), std::string::npos) << part << "\n" << junit;
  EXPECT_NE(checked_to_json(checked).find("\"verdict\": \"NOT MEASURED\""), std::string::npos);
}

}  // namespace
}  // namespace mgbench

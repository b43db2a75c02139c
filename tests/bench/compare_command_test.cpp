// `mgbench compare` as a user types it, and wrong input to it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/examples.h"
#include "support/commands.h"

namespace mgbench {
namespace {

using Json = nlohmann::json;

class Compare : public Commands {
 protected:
  void refused(std::vector<std::string> words, const std::vector<std::string>& parts) const {
    words.insert(words.begin(), "compare");
    expect_refused(words, parts);
  }

  ProgramResult compare(std::vector<std::string> words) const {
    words.insert(words.begin(), "compare");
    return mgbench(words);
  }

  /// The example, its strategy ddp `factor` times as slow.
  void write_run(const std::string& name, double factor, int day = 1, int ranks = 8) const {
    RunResult run = example_run();
    run.date = "2026-11-" + std::to_string(10 + day) + "T10:00:00Z";
    run.ranks = ranks;
    for (Sample& sample : strategy(run, "ddp").samples) sample.iteration *= factor;
    folder_.write(name, to_json(run));
  }
};

TEST_F(Compare, ASlowerStrategyIsNamedEverywhere) {
  write_run("a.json", 1.00, 1);
  write_run("b.json", 1.01, 2);
  write_run("c.json", 0.99, 3);
  write_run("slow.json", 1.5, 4);
  const ProgramResult result =
      compare({"a.json", "b.json", "c.json", "slow.json", "--markdown", "pr.md", "--junit", "junit.xml"});
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_NE(result.output.find("Worse: iteration/ddp (+50.0 %)"), std::string::npos) << result.output;
  EXPECT_EQ(result.output.find("these runs only"), std::string::npos) << "three baselines tell how runs differ";
  EXPECT_NE(text_in("pr.md").find("| iteration/ddp |"), std::string::npos);
  EXPECT_NE(text_in("junit.xml").find("<testcase name=\"iteration/ddp\""), std::string::npos);

  const ProgramResult values = compare({"a.json", "b.json", "c.json", "slow.json", "--json"});
  EXPECT_EQ(values.exit_code, 1);
  const Json form = Json::parse(values.output);
  EXPECT_GT(form.at("metrics").size(), 10U);
  for (const Json& metric : form.at("metrics")) {
    const bool of_ddp = metric.at("metric") == "iteration/ddp" || metric.at("metric") == "efficiency/ddp";
    EXPECT_EQ(metric.at("verdict") == "worse", of_ddp) << metric;
  }
}

TEST_F(Compare, APairSaysThatRunsMayDiffer) {
  write_run("a.json", 1);
  const ProgramResult result = compare({"a.json", "a.json"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find("these runs only"), std::string::npos) << result.output;
  EXPECT_EQ(result.output.find("Worse"), std::string::npos) << result.output;
}

TEST_F(Compare, TolerancesDecide) {
  write_run("a.json", 1);
  write_run("b.json", 1.2, 2);
  EXPECT_EQ(compare({"a.json", "b.json"}).exit_code, 1);
  EXPECT_EQ(compare({"a.json", "b.json", "--tolerance", "0.3"}).exit_code, 0);
  folder_.write("t.yaml", "iteration: 0.3\nefficiency: 0.3\n");
  const ProgramResult result = compare({"a.json", "b.json", "--tolerance", "t.yaml"});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_NE(result.output.find("Tolerance: 5 to 30 %"), std::string::npos) << result.output;
}

TEST_F(Compare, CalibrationsHaveTheirOwnFigures) {
  folder_.write("a.yaml", to_yaml(example_calibration(8)));
  const ProgramResult result = compare({"a.yaml", "a.yaml"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  for (const char* metric : {"latency", "seconds_per_byte", "bus_bandwidth", "allreduce/1KiB"})
    EXPECT_NE(result.output.find(metric), std::string::npos) << metric;
  EXPECT_EQ(result.output.find("iteration"), std::string::npos) << result.output;
}

TEST_F(Compare, WhatIsNotAlikeIsRefusedUnlessForced) {
  write_run("a.json", 1);
  write_run("b.json", 1, 2, 16);
  refused({"a.json", "b.json"}, {"not comparable: ranks 8 (a.json) against 16 (b.json); --force"});
  const ProgramResult forced = compare({"a.json", "b.json", "--force"});
  EXPECT_EQ(forced.exit_code, 0) << forced.errors;
  EXPECT_NE(forced.output.find("although they are not alike"), std::string::npos) << forced.output;
}

TEST_F(Compare, WithoutACommonMetricNothingIsMeasured) {
  RunResult run = example_run();
  run.strategies.clear();
  run.calibration = {};
  folder_.write("empty.json", to_json(run));
  write_run("a.json", 1);
  const ProgramResult result = compare({"a.json", "empty.json"});
  EXPECT_EQ(result.exit_code, 3) << result.output;
  EXPECT_NE(result.output.find("nothing could be compared"), std::string::npos) << result.output;
}

TEST_F(Compare, AHistoryTellsTheStep) {
  std::filesystem::create_directory(folder_.path() / "results");
  for (int day = 1; day <= 6; ++day)
    write_run("results/" + std::to_string(day) + ".json", (day < 4 ? 1 : 1.2) + 0.001 * (day % 2), day);
  folder_.write("results/broken.json", "{\"schema\": 1");
  const ProgramResult result = compare({"--history", "results"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find("step at 2026-11-14T10:00:00Z (results/4.json)"), std::string::npos) << result.output;
  EXPECT_NE(result.errors.find("left out: results/broken.json:1: not JSON"), std::string::npos) << result.errors;
  const Json values = Json::parse(compare({"--history", "results", "--json"}).output);
  EXPECT_EQ(values.at(0).at("metrics").size(), 6U);
}

TEST_F(Compare, WrongInputIsOneLine) {
  write_run("a.json", 1);
  write_run("copy.json", 1);
  folder_.write("cut.json", text_in("a.json").substr(0, 5000));
  folder_.write("schema.json", "{\"schema\": 2}");
  folder_.write("binary.json", std::string("\x7f\x45LF\x00\x01\xff\xfe", 8));
  folder_.write("t.yaml", "iteratoin: 0.1\n");
  std::filesystem::create_directory(folder_.path() / "empty");
  refused({}, {"expected BASELINE... CURRENT"});
  refused({"a.json"}, {"two files or more, not 1"});
  refused({"a.json", "missing.json"}, {"missing.json: no such file"});
  refused({"a.json", "cut.json"}, {"cut.json:", "not JSON"});
  refused({"schema.json", "a.json"}, {"schema.json: schema: '2' is not valid, expected a whole number from 1"});
  refused({"a.json", "binary.json"}, {"binary.json:1: not JSON"});
  refused({"a.json", "empty"}, {"empty: not a file"});
  refused({"a.json", "copy.json", "a.json"}, {"a.json and copy.json are the same run"});
  refused({"a.json", "a.json", "--tolerance", "5"}, {"--tolerance 5: expected a share between 0 and 1"});
  refused({"a.json", "a.json", "--tolerance", "t.yaml"}, {"t.yaml:1: iteratoin", "did you mean 'iteration'?"});
  refused({"a.json", "a.json", "--junit", "a.json/j.xml"}, {"a.json: the results folder cannot be made"});
  refused({"a.json", "a.json", "--junit", "empty"}, {"--junit empty: a folder, expected the name of a file"});
  refused({"a.json", "a.json", "--markdown", "copy.json"},
          {"--markdown copy.json: a measurement, which would be lost"});
  refused({"a.json", "a.json", "--forse"}, {"--forse", "did you mean '--force'?"});
  refused({"--history", "empty"}, {"empty: no result"});
  refused({"--history", "a.json"}, {"a.json: not a folder"});
  refused({"a.json", "--history", "empty"}, {"takes a folder and no files"});
}

}  // namespace
}  // namespace mgbench

// What every command prints with --json, and saves as JSON, is what schemas/result.schema.json says.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/calibration.h"
#include "report/examples.h"
#include "support/commands.h"
#include "support/result_schema.h"

namespace mgbench {
namespace {

using Json = nlohmann::json;

class JsonOutput : public Commands {
 protected:
  JsonOutput() {
    folder_.write("run.json", to_json(example_run()));
    folder_.write("calibration.yaml", to_yaml(example_calibration(2)));
    write_profile();
  }

  /// The same run on a later day, its iterations longer by this factor.
  void write_run(const std::string& name, const std::string& date, double factor) const {
    RunResult result = example_run();
    result.date = date;
    for (StrategyResult& each : result.strategies)
      for (Sample& sample : each.samples) sample.iteration *= factor;
    folder_.write(name, to_json(result));
  }

  void expect_form(std::vector<std::string> words, const std::string& definition) const {
    words.emplace_back("--json");
    const ProgramResult result = mgbench(words);
    ASSERT_TRUE(Json::accept(result.output)) << words.front() << result.errors << result.output;
    const Json printed = Json::parse(result.output);
    EXPECT_EQ(complaints(printed, definition), "") << words.front();
    EXPECT_FALSE(printed.empty()) << words.front();
  }
};

TEST_F(JsonOutput, OfWhatIsMeasured) {
  expect_form({"calibrate", "-n", "2", "--budget", "3"}, "calibration");
  expect_form({"calibrate", "-n", "2", "--algorithms", "--budget", "3"}, "algorithms");
  expect_form({"calibrate", "-n", "2", "--pairs"}, "pairs");
  EXPECT_EQ(complaints(Json::parse(text_of(result_file("-pairs-2nodes.json"))), "pairs"), "");
  EXPECT_EQ(complaints(Json::parse(text_of(result_file("-algorithms-2ranks.json"))), "algorithms"), "");
  expect_form({"profile", "--model", "tiny", "-n", "2", "--budget", "3"}, "profile");
  expect_form({"accept", "--models", "tiny", "-n", "2", "--budget", "8"}, "checks");
}

TEST_F(JsonOutput, OfWhatIsImported) {
  folder_.write("a.log",
                "# OSU MPI Allreduce Latency Test v7.3\n# Size  Avg Latency(us)\n4  10.00\n8  20.00\n16  30.00\n");
  expect_form({"calibrate", "--import", "a.log", "--ranks", "8"}, "calibrations");
}

TEST_F(JsonOutput, OfForecasts) {
  expect_form({"plan", "--profile", "profile.yaml", "--calibration", "calibration.yaml"}, "plans");
  expect_form({"plan", "--profile", "profile.yaml", "--calibration", "calibration.yaml", "--split-tensors"}, "plans");
  const std::vector<std::string> simulate{"simulate", "--profile", "profile.yaml", "--interconnect",
                                          "10GbE",    "--ranks",   "2,8"};
  expect_form(simulate, "simulation");
  std::vector<std::string> varied = simulate;
  varied.insert(varied.end(), {"--jitter", "0.02", "--seed", "3"});
  expect_form(varied, "simulation");
  expect_form(
      {"simulate", "--profile", "profile.yaml", "--interconnect", "10GbE", "--ranks", "8", "--strategy", "wfbp"},
      "simulation");
}

TEST_F(JsonOutput, OfVerdicts) {
  write_run("slower.json", "2026-12-01T00:00:00Z", 1.5);
  RunResult other = example_run(16);
  other.date = "2026-12-02T00:00:00Z";
  other.environment["mpi.library"] = "another";
  strategy(other, "ddp").failure = "a wrong sum";
  for (Sample& sample : strategy(other, "wfbp").samples) sample.rejected = true;
  folder_.write("other.json", to_json(other));
  expect_form({"compare", "run.json", "slower.json"}, "comparison");
  expect_form({"compare", "run.json", "other.json"}, "comparison");
  folder_.write(
      "criteria.yaml",
      "criteria:\n- {name: a, metric: latency, at_most: 1, unit: s}\n- {name: b, metric: iteration/wfbp, at_least: "
      "9, unit: s}\n- {name: c, metric: pair_spread, at_least: 1, unit: ratio}\n");
  expect_form({"check", "--criteria", "criteria.yaml", "run.json"}, "checks");
}

TEST_F(JsonOutput, OfAHistory) {
  std::filesystem::create_directory(folder_.path() / "history");
  for (int day = 1; day <= 8; ++day)
    write_run(fmt::format("history/{}.json", day), fmt::format("2026-12-0{}T00:00:00Z", day), day < 5 ? 1 : 2);
  expect_form({"compare", "--history", "history"}, "histories");
}

}  // namespace
}  // namespace mgbench

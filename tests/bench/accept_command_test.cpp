// `mgbench accept` as a user types it.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/calibration.h"
#include "report/pair_matrix.h"
#include "report/run_result.h"
#include "support/commands.h"

namespace mgbench {
namespace {

namespace fs = std::filesystem;

class Accept : public Commands {
 protected:
  ProgramResult accept(std::vector<std::string> words) const {
    const std::vector<std::string> usual{"accept", "--models", "tiny", "-n", "2", "--budget", "10"};
    words.insert(words.begin(), usual.begin(), usual.end());
    return mgbench(std::move(words));
  }

  /// The folder of the only acceptance.
  fs::path folder() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder_.path() / "results")) found.push_back(entry.path());
    EXPECT_EQ(found.size(), 1U);
    return found.at(0);
  }

  bool holds(const std::string& name) const { return fs::exists(folder() / name); }

  /// One criterion of `bound` for the bus bandwidth.
  std::string write_criteria(const std::string& bound, const std::string& more = "") const {
    return folder_.write("criteria.yaml",
                         "criteria:\n  - {name: wide, metric: bus_bandwidth, " + bound + ", unit: GB/s" + more + "}\n");
  }
};

TEST_F(Accept, LeavesAllThatItFoundInOneFolder) {
  const ProgramResult result = accept({"--criteria", write_criteria("at_least: 1e-9")});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_NE(result.output.find("PASS"), std::string::npos) << result.output;
  EXPECT_NE(result.errors.find(folder().string().substr(folder_.path().string().size() + 1)), std::string::npos);
  for (const char* name : {"checks.json", "checks.md", "junit.xml", "report.html", "report.md"})
    EXPECT_TRUE(holds(name)) << name;
  EXPECT_EQ(run_result_from_json(text_of(folder() / "tiny.json"), "tiny.json").model, "tiny");
  EXPECT_EQ(pairs_from_json(text_of(folder() / "pairs.json"), "pairs.json").nodes.size(), 2U);
  const auto calibrations = std::count_if(fs::directory_iterator(folder()), fs::directory_iterator(),
                                          [](const auto& entry) { return entry.path().extension() == ".yaml"; });
  EXPECT_EQ(calibrations, 1);
  const std::string log = text_of(folder() / "log.txt");
  for (const char* part : {"mgbench accept --models tiny", "2 ranks on 1 host", "Allreduce over 2 ranks",
                           "Pairs of 2 nodes", "mg-wfbp", "PASS"})
    EXPECT_NE(log.find(part), std::string::npos) << part;
  const auto checks = nlohmann::json::parse(text_of(folder() / "checks.json"));
  EXPECT_EQ(checks.size(), 2U);  // the calibration's, and that of the run
}

TEST_F(Accept, EndsByTheVerdict) {
  EXPECT_EQ(accept({"--criteria", write_criteria("at_least: 1e6")}).exit_code, 1);
  EXPECT_TRUE(holds("report.html"));
}

TEST_F(Accept, DoesNotPassWhatItDidNotMeasure) {
  EXPECT_EQ(accept({"--criteria", write_criteria("at_least: 1e-9", ", ranks: 7")}).exit_code, 3);
  EXPECT_TRUE(holds("report.html"));
}

TEST_F(Accept, LeavesOutAModelThatItsBudgetDoesNotHold) {
  const ProgramResult result = mgbench(
      {"accept", "--models", "tiny", "-n", "2", "--budget", "4", "--criteria", write_criteria("at_least: 1e-9")});
  EXPECT_EQ(result.exit_code, 3) << result.errors;
  EXPECT_NE(mgbench({"accept", "--models", "tiny,tony"}).errors.find("unknown model 'tony'; did you mean 'tiny'?"),
            std::string::npos);
  EXPECT_NE(result.errors.find("mgbench: not measured: tiny: the budget is spent\n"), std::string::npos)
      << result.errors;
  EXPECT_FALSE(holds("tiny.json"));
  EXPECT_TRUE(holds("report.html"));
  const std::string checks = text_of(folder() / "checks.md");
  EXPECT_NE(checks.find("Required: 1 passed, 0 failed, 1 not measured"), std::string::npos) << checks;
  EXPECT_NE(checks.find("tiny: the budget is spent"), std::string::npos) << checks;
  EXPECT_NE(text_of(folder() / "junit.xml").find("errors=\"1\""), std::string::npos) << "as pipelines see it";
}

TEST_F(Accept, OfAnEmulatedInterconnectHasNoPairs) {
  const ProgramResult result =
      accept({"--interconnect", "10GbE", "--as-ranks", "8", "--criteria", write_criteria("at_least: 1e-3")});
  EXPECT_EQ(result.exit_code, 0) << result.errors << result.output;
  EXPECT_FALSE(holds("pairs.json"));
  EXPECT_NE(result.output.find("the emulated 10GbE as 8 ranks"), std::string::npos) << result.output;
}

TEST_F(Accept, RefusesWrongInputAndWritesNothing) {
  const std::vector<std::vector<std::string>> wrong{
      {"--models", "tini"},
      {"--models", ","},
      {"-n", "1"},
      {"--budget", "0"},
      {"--criteria", "nowhere.yaml"},
      {"--criteria", folder_.write("empty.yaml", "")},
      {"--criteria", folder_.write("typo.yaml", "criteria:\n  - {name: a, metric: latencyy, at_most: 1, unit: s}\n")},
      {"--communicator", "mpi"},
      {"--batch", "0"},
      {"--as-ranks", "8"},
      {"tiny"}};
  for (const std::vector<std::string>& words : wrong) {
    const ProgramResult result = accept(words);
    EXPECT_EQ(result.exit_code, 2) << words.back();
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
    EXPECT_FALSE(fs::exists(folder_.path() / "results")) << words.back();
  }
}

}  // namespace
}  // namespace mgbench

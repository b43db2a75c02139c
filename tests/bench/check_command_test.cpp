// `mgbench check` as a user types it, and wrong input to it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/examples.h"
#include "support/commands.h"

namespace mgbench {
namespace {

using Json = nlohmann::json;

class Check : public Commands {
 protected:
  Check() {
    folder_.write("run.json", to_json(example_run()));
    folder_.write("calibration.yaml", to_yaml(example_calibration(8)));
  }

  void refused(std::vector<std::string> words, const std::vector<std::string>& parts) const {
    words.insert(words.begin(), "check");
    expect_refused(words, parts);
  }

  ProgramResult check(std::vector<std::string> words) const {
    words.insert(words.begin(), "check");
    return mgbench(words);
  }

  /// With criteria of this text.
  ProgramResult check_text(const std::string& criteria, std::vector<std::string> more = {}) const {
    folder_.write("c.yaml", "criteria:\n" + criteria);
    more.insert(more.begin(), {"--criteria", "c.yaml", "run.json"});
    return check(more);
  }
};

constexpr const char* kPass = "- {name: start-up, metric: latency, at_most: 1, unit: ms}\n";
constexpr const char* kFail = "- {name: too fast, metric: latency, at_most: 1, unit: us}\n";
constexpr const char* kMissing = "- {name: other, metric: iteration/ddp, at_most: 1, unit: s, model: alexnet}\n";

TEST_F(Check, ExitCodesAreThoseOfTheRequiredCriteria) {
  EXPECT_EQ(check_text(kPass).exit_code, 0);
  EXPECT_EQ(check_text(std::string(kPass) + kMissing).exit_code, 3);
  EXPECT_EQ(check_text(std::string(kPass) + kMissing + kFail).exit_code, 1);
  const ProgramResult advisory =
      check_text(std::string(kPass) + "- {name: a, metric: latency, at_most: 1, unit: us, required: false}\n");
  EXPECT_EQ(advisory.exit_code, 0) << advisory.errors;
  EXPECT_NE(advisory.output.find("FAIL (advisory)"), std::string::npos) << advisory.output;
}

TEST_F(Check, TellsPipelinesToo) {
  const ProgramResult result =
      check_text(std::string(kPass) + kFail + kMissing, {"--json", "--markdown", "pr.md", "--junit", "junit.xml"});
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  const Json values = Json::parse(result.output);
  EXPECT_EQ(values.at(0).at("verdict"), "PASS");
  EXPECT_NEAR(values.at(0).at("value").get<double>(), 0.523, 1e-9);
  EXPECT_EQ(values.at(1).at("verdict"), "FAIL");
  EXPECT_EQ(values.at(2).at("verdict"), "NOT MEASURED");
  EXPECT_NE(text_in("junit.xml").find("<failure message=\"523 us"), std::string::npos) << text_in("junit.xml");
  EXPECT_NE(text_in("pr.md").find("| too fast | at most 1 us | 523 us |"), std::string::npos) << text_in("pr.md");
  EXPECT_EQ(check_text(kPass, {"--junit", "junit.xml"}).exit_code, 0);
  EXPECT_EQ(text_in("junit.xml").find("<failure"), std::string::npos) << "written anew";
}

TEST_F(Check, CriteriaMadeFromARunHoldForItAndNotForASlowerOne) {
  const ProgramResult made = check({"--make-criteria", "run.json", "-o", "made.yaml"});
  ASSERT_EQ(made.exit_code, 0) << made.errors;
  EXPECT_EQ(check({"--criteria", "made.yaml", "run.json"}).exit_code, 0);
  RunResult slow = example_run();
  for (Sample& sample : strategy(slow, "mg-wfbp").samples) sample.iteration *= 1.2;
  folder_.write("slow.json", to_json(slow));
  const ProgramResult result = check({"--criteria", "made.yaml", "slow.json"});
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_NE(result.output.find("iteration of mg-wfbp"), std::string::npos) << result.output;
  refused({"--make-criteria", "run.json", "-o", "made.yaml"}, {"made.yaml: is there already"});
}

TEST_F(Check, AndCompareRefuseRunsThatDidNotComeToTheirEnd) {
  folder_.write("good.yaml", std::string("criteria:\n") + kPass);
  for (const char* ended : {"not ended: kept after 9 rounds", "broken off after 9 rounds: rank 1 on node7: silent"}) {
    RunResult result = example_run();
    result.ended = ended;
    const std::string file = "results.json.partial";
    folder_.write(file, to_json(result));
    const std::vector<std::string> parts{file + ": an unfinished run", ended};
    refused({"--make-criteria", file, "-o", "x.yaml"}, parts);
    refused({"--criteria", "good.yaml", file}, parts);
    expect_refused({"compare", "run.json", file}, parts);
    expect_refused({"compare", file, "run.json"}, parts);
    const ProgramResult shown = mgbench({"report", file});
    EXPECT_EQ(shown.output.find("UNFINISHED | "), 0U) << shown.output;
    EXPECT_NE(shown.output.find("UNFINISHED, " + std::string(ended)), std::string::npos) << shown.output;
  }
  RunResult told = example_run();
  told.ended = "stopped by SIGTERM after 9 rounds";
  folder_.write("told.json", to_json(told));
  EXPECT_EQ(check({"--criteria", "good.yaml", "told.json"}).exit_code, 0);
}

TEST_F(Check, ShippedCriteriaAreFoundByName) {
  const ProgramResult result = check({"--criteria", "ethernet-10g", "calibration.yaml"});
  EXPECT_NE(result.output.find("GB/s"), std::string::npos) << result.output << result.errors;
  EXPECT_EQ(result.errors, "");
}

TEST_F(Check, WrongInputIsOneLine) {
  folder_.write("good.yaml", std::string("criteria:\n") + kPass);
  folder_.write("typo.yaml", "criteria:\n- {name: a, metric: latencey, at_most: 1, unit: us}\n");
  folder_.write("cut.json", text_in("run.json").substr(0, 5000));
  folder_.write("binary.yaml", std::string("\x7f\x45LF\x00\x01\xff\xfe", 8));
  refused({}, {"expected --criteria FILE RESULT..."});
  refused({"--criteria", "good.yaml"}, {"expected results"});
  refused({"--criteria", "typo.yaml", "run.json"}, {"typo.yaml:2:", "did you mean 'latency'?"});
  refused({"--criteria", "ethernet", "run.json"}, {"ethernet: no such file", "ethernet-10g"});
  refused({"--criteria", "good.yaml", "cut.json"}, {"cut.json:", "not JSON"});
  refused({"--criteria", "good.yaml", "binary.yaml"}, {"binary.yaml"});
  refused({"--criteria", "binary.yaml", "run.json"}, {"binary.yaml"});
  refused({"--criteria", "good.yaml", "missing.json"}, {"missing.json: no such file"});
  refused({"--criteria", "good.yaml", "run.json", "--markdown", "."}, {"--markdown .: a folder"});
  refused({"--criteria", "good.yaml", "run.json", "-o", "x.yaml"}, {"-o is for --make-criteria"});
  refused({"--make-criteria", "run.json"}, {"needs -o FILE"});
  refused({"--make-criteria", "run.json", "--criteria", "good.yaml", "-o", "x.yaml"}, {"takes one result"});
}

}  // namespace
}  // namespace mgbench

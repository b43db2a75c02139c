#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error.h"
#include "report/equal.h"
#include "report/examples.h"
#include "report/json.h"
#include "report/profile_file.h"
#include "report/profile_report.h"
#include "report/random_values.h"

namespace mgbench {
namespace {

std::string error_of(std::string text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
  try {
    profile_from_yaml(text, "p.yaml");
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::bad_input);
    return error.what();
  }
  return "no error";
}

RC_GTEST_PROP(ProfileFile, ReadsBackExactly, ()) {
  const Profile profile = random_profile();
  RC_ASSERT(equal(profile_from_yaml(to_yaml(profile), "p.yaml"), profile));
}

TEST(ProfileFile, HasOneLineAStep) {
  const std::string text = to_yaml(example_profile());
  EXPECT_NE(
      text.find("  - {name: fc, forward_seconds: 0.01, backward_seconds: 0.024, tensors: [{name: fc.weight, bytes: "
                "8192000}, {name: fc.bias, bytes: 4000}]}\n"),
      std::string::npos)
      << text;
}

TEST(ProfileFile, IsValidForThePlanner) {
  EXPECT_NO_THROW(validate(profile_from_yaml(to_yaml(example_profile()), "p.yaml")));
}

TEST(ProfileFile, SaysWhatIsWrong) {
  const std::string text = to_yaml(example_profile());
  EXPECT_EQ(error_of(text, "schema: 1", "schema: 2"), "p.yaml:4: schema: 2 is of a newer mgbench, expected 1 at most");
  EXPECT_EQ(error_of(text, "ranks: 8", "ranks: 0"),
            "p.yaml:7: ranks: '0' is not valid, expected a whole number from 1 to 1000000");
  EXPECT_EQ(error_of(text, "forward_seconds: 0.01", "forward_second: 0.01"),
            "p.yaml:11: steps[0].forward_second: unknown key; did you mean 'forward_seconds'? choices: name, "
            "forward_seconds, "
            "backward_seconds, tensors");
  EXPECT_EQ(error_of(text, "backward_seconds: 0.03", "backward_seconds: -0.03"),
            "p.yaml:11: steps[0].backward_seconds: '-0.03' is not valid, expected a number from 0 to 1e+09");
  EXPECT_EQ(error_of(text, "bytes: 37632", "bytes: 0"),
            "p.yaml:11: steps[0].tensors[0].bytes: '0' is not valid, expected a whole number from 1 to "
            "1099511627776");
  EXPECT_EQ(error_of(text, text.substr(text.find("steps:")), "steps: []\n"),
            "p.yaml:10: steps: no tensor in any step, expected at least one");
}

TEST(ProfileReport, SaysHowEarlyGradientsAreReady) {
  const std::string text = format_profile(example_profile());
  // fc has nearly all bytes, and is ready after 24 of 114 ms.
  EXPECT_NE(text.find("half of the bytes are ready after 21 % of backward, 90 % after\n  21 %"), std::string::npos)
      << text;
  EXPECT_NE(text.find("fc                10.00     24.00     84.00        2    7.8 MiB"), std::string::npos) << text;
  EXPECT_NE(text.find("conv1             10.00     30.00    174.00        1   36.8 KiB"), std::string::npos) << text;
}

TEST(ProfileReport, SumsUpTheShorterSteps) {
  const std::string text = format_profile(example_profile(), 100, 2);
  EXPECT_EQ(text.find("bn1"), std::string::npos);
  EXPECT_NE(text.find("2 shorter steps"), std::string::npos) << text;
  EXPECT_NE(text.find("layer1.0.conv1"), std::string::npos);
}

TEST(ProfileReport, HasAJsonForm) {
  const auto json = nlohmann::json::parse(profile_to_json(example_profile()));
  EXPECT_EQ(json["steps"][3]["tensors"][0]["bytes"], 8192000);
  EXPECT_EQ(json["steps"][3]["backward_seconds"], 0.024);
}

}  // namespace
}  // namespace mgbench

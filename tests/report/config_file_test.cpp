#include "report/config_file.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace mgbench {
namespace {

TEST(ConfigFile, BecomesArguments) {
  EXPECT_EQ(ConfigFile("model: tiny\nn: 2\njson: true\n", "run.yaml", {"model", "n", "json"}).arguments(),
            (std::vector<std::string>{"--model=tiny", "-n", "2", "--json=true"}));
}

TEST(ConfigFile, NamesFileLineAndTheNearestKey) {
  try {
    ConfigFile("model: tiny\nbatsh: 2\n", "run.yaml", {"model", "batch"});
    FAIL() << "expected an Error";
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with("run.yaml:2: ")) << message;
    EXPECT_NE(message.find("'batch'"), std::string::npos) << message;
  }
}

TEST(ConfigFile, RefusesValuesThatAreEmpty) {
  for (const char* value : {"''", "\"\"", "'", "\" ", "'  '"}) {
    const ConfigFile file("model: tiny\nn: " + std::string(value) + '\n', "run.yaml", {"model", "n"});
    try {
      file.arguments();
      FAIL() << "expected an Error for " << value;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()), "run.yaml:2: n: expected a value, which is empty");
    }
  }
}

}  // namespace
}  // namespace mgbench

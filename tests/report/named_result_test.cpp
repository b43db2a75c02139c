#include "report/named_result.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "report/examples.h"

namespace mgbench {
namespace {

TEST(NamedResult, RefusesAPlanOfOtherTensors) {
  RunResult result = example_run();
  EXPECT_EQ(read_named_result(to_json(result), "a.json").result.strategies.size(), result.strategies.size());
  strategy(result, "ddp").group_ends = {2, 7};
  try {
    read_named_result(to_json(result), "a.json");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::bad_input);
    EXPECT_STREQ(error.what(), "a.json: strategy ddp: its plan holds 7 tensors, expected the 6 of the profile");
  }
}

}  // namespace
}  // namespace mgbench

#include "bench/launch/running_program.h"

#include <gtest/gtest.h>

namespace mgbench {
namespace {

constexpr Seconds kLong = 60;

std::string whole_output(RunningProgram& program) {
  while (program.listen(kLong)) {
  }
  return program.output();
}

TEST(RunningProgram, SetsVariablesInPlaceOfItsOwn) {
  RunningProgram program({"sh", "-c", "echo $NEW $HOME"}, {{"NEW", "new"}, {"HOME", "mine"}}, 100);
  EXPECT_EQ(whole_output(program), "new mine\n");
}

TEST(RunningProgram, IsHeardWhileItRuns) {
  RunningProgram program({"sh", "-c", "echo early; exec sleep 1000"}, {}, 100);
  EXPECT_TRUE(program.listen(kLong));
  EXPECT_EQ(program.output(), "early\n");
  EXPECT_TRUE(program.listen(0)) << "it has not ended";
}

TEST(RunningProgram, KeepsAsMuchAsItIsTold) {
  RunningProgram program({"head", "-c", "1000000", "/dev/zero"}, {}, 1000000);
  EXPECT_EQ(whole_output(program).size(), 1000000U);
  RunningProgram cut({"head", "-c", "1000000", "/dev/zero"}, {}, 10000);
  EXPECT_LT(whole_output(cut).size(), 20000U);
}

TEST(RunningProgram, ThatCannotBeStartedSaysNothing) {
  RunningProgram program({"/no/such/program"}, {}, 100);
  EXPECT_EQ(whole_output(program), "");
}

}  // namespace
}  // namespace mgbench

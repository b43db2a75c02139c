#include "bench/launch/program_output.h"

#include <gtest/gtest.h>

namespace mgbench {
namespace {

TEST(ProgramOutput, HoldsBothStreams) {
  EXPECT_EQ(program_output({"sh", "-c", "echo one; echo two >&2; exit 3"}), "one\ntwo\n");
}

TEST(ProgramOutput, IsEmptyForWhatCannotBeStarted) {
  EXPECT_EQ(program_output({"/no/such/program"}), "");
}

TEST(ProgramOutput, GivesWordsToNoShell) {
  EXPECT_EQ(program_output({"echo", "$HOME;", "`id`"}), "$HOME; `id`\n");
}

TEST(ProgramOutput, EndsWithWhatDoesNotEnd) {
  EXPECT_EQ(program_output({"sh", "-c", "echo early; exec sleep 1000"}, 0.5), "early\n");
}

TEST(ProgramOutput, IsBounded) {
  const std::string output = program_output({"head", "-c", "1000000", "/dev/zero"});
  EXPECT_GE(output.size(), 64u * 1024);
  EXPECT_LT(output.size(), 80u * 1024);
}

}  // namespace
}  // namespace mgbench

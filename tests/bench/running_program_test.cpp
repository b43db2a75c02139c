#include "bench/launch/running_program.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

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

TEST(RunningProgram, HasNoSignalBlocked) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  RunningProgram program({"grep", "SigBlk", "/proc/self/status"}, {}, 100);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(whole_output(program), "SigBlk:\t0000000000000000\n");
}

/// Also of one that nobody has waited for yet.
bool has_ended(const std::string& process) {
  std::string stat;
  std::getline(std::ifstream("/proc/" + process + "/stat"), stat);
  return stat.empty() || stat.find(") Z ") != std::string::npos;
}

TEST(RunningProgram, TakesAlongWhatItHasStarted) {
  std::string child;
  for (const std::string how : {"wait", "exit"}) {  // while it lives itself, and after it has ended
    {
      RunningProgram program({"sh", "-c", "sleep 1000 & echo $!; " + how}, {}, 100);
      ASSERT_TRUE(program.listen(kLong));
      child = program.output().substr(0, program.output().find('\n'));
      EXPECT_FALSE(has_ended(child));
    }
    for (int i = 0; i < 1000 && !has_ended(child); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_TRUE(has_ended(child)) << how;
  }
}

TEST(RunningProgram, ThatCannotBeStartedSaysNothing) {
  RunningProgram program({"/no/such/program"}, {}, 100);
  EXPECT_EQ(whole_output(program), "");
}

}  // namespace
}  // namespace mgbench

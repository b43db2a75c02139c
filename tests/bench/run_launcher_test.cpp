#include "bench/launch/run_launcher.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "bench/build_info.h"
#include "bench/launch/launcher_trouble.h"

namespace mgbench {
namespace {

/// `trouble`: what the launcher says of ranks that it did not start.
int run(const std::string& script, const std::string& trouble = "") {
  return run_launcher({"sh", "-c", script}, [&] { return trouble; });
}

TEST(RunLauncher, EndsAsTheRanksDo) {
  for (const int code : {0, 1, 2, 3}) EXPECT_EQ(run("exit " + std::to_string(code)), code);
}

TEST(RunLauncher, CallsAnyOtherEndNotMeasured) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(run("exit 137"), 3);
  EXPECT_EQ(run("kill -9 $$"), 3);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "mgbench: sh ended with code 137\nmgbench: sh ended with Killed\n");
}

TEST(RunLauncher, CallsALauncherThatStartedNoRankNotMeasured) {
  testing::internal::CaptureStderr();
  for (const int code : {1, 213}) EXPECT_EQ(run("exit " + std::to_string(code), "no slots"), 3);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "mgbench: sh started no rank: no slots\nmgbench: sh started no rank: no slots\n");
  for (const int code : {0, 2, 3}) EXPECT_EQ(run("exit " + std::to_string(code), "nobody asks"), code);
}

TEST(LauncherTrouble, AsksTheSameLauncherWithoutWhatKeepsItQuiet) {
  EXPECT_EQ(trial_of({"mpirun", "--quiet", "-n", "4"}, "/bin/mgbench"),
            (std::vector<std::string>{"mpirun", "-n", "4", "/bin/mgbench", "--version"}));
}

TEST(LauncherTrouble, IsWhatTheLauncherSaysFirst) {
  EXPECT_EQ(first_words("----\nThere are not enough slots to satisfy the 2\n  slots that were requested by:\n\n  x\n"),
            "There are not enough slots to satisfy the 2 slots that were requested by");
  EXPECT_EQ(first_words("ssh: no such host\n---------\nORTE was unable\n"), "ssh: no such host");
  EXPECT_EQ(first_words("srun: error: \033[1mno\n"), "srun: error:  [1mno");
  EXPECT_EQ(first_words("\n---\n\n"), "");
}

TEST(LauncherTrouble, IsNoneWhereRanksStartOrNobodyAnswers) {
  const std::string version = std::string("mgbench ") + kVersion;
  EXPECT_EQ(why_no_ranks({"sh", "-c", "echo " + version + "; exit 1"}), "");
  EXPECT_EQ(why_no_ranks({"sh", "-c", "echo retrying; sleep 9"}, 0.2), "");
  EXPECT_EQ(why_no_ranks({"sh", "-c", "echo no slots >&2; exit 1"}), "no slots");
}

TEST(RunLauncher, PassesOnWhatAsksForAnEnd) {
  for (const char* signal : {"INT", "TERM", "HUP", "USR1"}) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(run(std::string("trap 'exit 1' USR1; trap 'exit 2' INT TERM HUP; kill -") + signal +
                  " $PPID; while :; do sleep 0.05; done"),
              1)
        << signal;
    EXPECT_NE(testing::internal::GetCapturedStderr().find(std::string("SIG") + signal), std::string::npos);
  }
}

TEST(RunLauncher, EndsTheLauncherAtASecondSignal) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(run("trap : USR1; trap 'exit 2' TERM; kill -INT $PPID; sleep 1.2; kill -INT $PPID; "
                "while :; do sleep 0.05; done"),
            2);
  testing::internal::GetCapturedStderr();
}

TEST(RunLauncher, TakesASignalThatComesTwiceAtOnceForOne) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(run("trap 'sleep 0.3; exit 1' USR1; trap 'exit 2' TERM; kill -TERM $PPID; kill -USR1 $PPID; "
                "while :; do sleep 0.05; done"),
            1);
  testing::internal::GetCapturedStderr();
}

TEST(RunLauncher, GivesItNoInput) {
  EXPECT_EQ(run("read line && exit 1; exit 0"), 0);
}

TEST(RunLauncher, SaysWhatCannotBeStarted) {
  try {
    run_launcher({"/no/such/mpirun"}, [] { return ""; });
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::bad_input);
    EXPECT_TRUE(std::string(error.what()).starts_with("cannot start /no/such/mpirun: No such file or directory"));
  }
}

}  // namespace
}  // namespace mgbench

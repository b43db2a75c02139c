#include "bench/launch/run_launcher.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace mgbench {
namespace {

int run(const std::string& script) {
  return run_launcher({"sh", "-c", script});
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
    run_launcher({"/no/such/mpirun"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::bad_input);
    EXPECT_TRUE(std::string(error.what()).starts_with("cannot start /no/such/mpirun: No such file or directory"));
  }
}

}  // namespace
}  // namespace mgbench

// Faults of whoever started the ranks.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "support/faulty_job.h"

namespace mgbench {
namespace {

/// mgbench starts its own ranks, and is asked to end.
TEST_F(FaultyJob, TypedBareIsStoppedInOrder) {
  Words words{"timeout", "--foreground", "-k", "5", "50", MGBENCH_FAULTY_PROGRAM};
  words.insert(words.end(), kRun.begin(), kRun.end());
  words.insert(words.end(), {"-n", "2"});
  const ProgramResult ended =
      run_program(words, folder_.path(), {{"MGBENCH_FAULT", "ask 1 iteration 1 measuring, round 8"}});
  expect_end(ended, {0}, {"mgbench: SIGINT: stopping the ranks", "stopped by SIGUSR1", "mgbench: result: "});
  EXPECT_EQ(files().size(), 1U) << ended.errors;
}

/// Of those whose working directory is `folder`.
std::size_t processes_in(const std::filesystem::path& folder) {
  std::size_t count = 0;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored))
    if (std::filesystem::read_symlink(entry.path() / "cwd", ignored) == folder) ++count;
  return count;
}

TEST_F(FaultyJob, LeavesNoRanksWhereTheLauncherIsKilled) {
  const ProgramResult ended = run(3, kRun, "orphan 1 forward 3 measuring, round 8");
  EXPECT_EQ(ended.exit_code, 128 + SIGKILL) << ended.errors;
  for (int tenths = 0; tenths < 300 && processes_in(folder_.path()) > 0; ++tenths)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(processes_in(folder_.path()), 0U);
  EXPECT_EQ(files().size(), 1U) << "what was measured until then";
}

}  // namespace
}  // namespace mgbench

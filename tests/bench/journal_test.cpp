#include "bench/files/journal.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>

#include "bench/files/files.h"
#include "report/examples.h"
#include "support/run_program.h"
#include "support/virtual_clock.h"

namespace mgbench {
namespace {

class Journals : public testing::Test {
 protected:
  /// The only file; its name ends so.
  RunResult only_result(const std::string& ending) const {
    const std::vector<std::string> names = folder_.names();
    EXPECT_EQ(names.size(), 1U);
    EXPECT_TRUE(names.at(0).ends_with(ending)) << names.at(0);
    return run_result_from_json(read_file(folder_.path() / names.at(0)), names.at(0));
  }

  void keep(Journal& journal, int rounds) {
    journal.keep(rounds, [&] {
      ++asked_;
      return example_run();
    });
  }

  ScratchFolder folder_;
  VirtualClock clock_;
  int asked_ = 0;
};

TEST_F(Journals, KeepAResultForTheOwnerAlone) {
  Journal journal(folder_.path(), "run", clock_);
  keep(journal, 1);
  EXPECT_EQ(only_result("-run-resnet50.json.partial").ended, "not ended: kept after 1 round");
  const auto status = std::filesystem::status(folder_.path() / folder_.names().at(0));
  EXPECT_EQ(status.permissions(), std::filesystem::perms(0600));
}

TEST_F(Journals, AskForItAtMostOnceASecond) {
  Journal journal(folder_.path(), "run", clock_);
  for (int round = 1; round <= 20; ++round) {
    keep(journal, round);
    clock_.sleep_until(clock_.now() + 0.25);
  }
  EXPECT_EQ(asked_, 5);
  EXPECT_EQ(only_result(".json.partial").ended, "not ended: kept after 17 rounds");
}

TEST_F(Journals, BecomeAResultWhereTheRunIsBrokenOff) {
  Journal journal(folder_.path(), "tune", clock_);
  journal.break_off("too early");
  EXPECT_TRUE(folder_.names().empty());
  keep(journal, 7);
  journal.break_off("rank 1 on node7: silent");
  const RunResult result = only_result("-tune-resnet50.json");
  EXPECT_EQ(result.ended, "broken off after 7 rounds: rank 1 on node7: silent");
  EXPECT_EQ(result.strategies.size(), example_run().strategies.size());
  journal.break_off("again");
  EXPECT_EQ(folder_.names().size(), 1U) << "once";
}

TEST_F(Journals, BecomeAResultWhereAnErrorIsOnItsWay) {
  try {
    Journal journal(folder_.path(), "run", clock_);
    keep(journal, 2);
    throw std::runtime_error("planted");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(only_result("-run-resnet50.json").ended, "broken off after 2 rounds: an error on rank 0");
}

TEST_F(Journals, StayWhereTheyAreNotDiscarded) {
  { Journal(folder_.path(), "run", clock_); }
  EXPECT_TRUE(folder_.names().empty());
  {
    Journal journal(folder_.path(), "run", clock_);
    keep(journal, 2);
  }
  only_result(".json.partial");
}

TEST_F(Journals, GoWhenTheResultIsWritten) {
  Journal journal(folder_.path(), "run", clock_);
  keep(journal, 2);
  journal.discard();
  EXPECT_TRUE(folder_.names().empty());
  journal.break_off("too late");
  EXPECT_TRUE(folder_.names().empty());
}

TEST_F(Journals, OfTwoJobsAtOnceAreTwo) {
  Journal one(folder_.path(), "run", clock_);
  Journal other(folder_.path(), "run", clock_);
  keep(one, 1);
  keep(other, 2);
  EXPECT_EQ(folder_.names().size(), 2U);
}

TEST_F(Journals, ThatCannotBeWrittenEndNothing) {
  Journal journal(folder_.path() / "missing", "run", clock_);
  keep(journal, 1);
  clock_.sleep_until(5);
  testing::internal::CaptureStderr();
  keep(journal, 2);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "said once";
  EXPECT_EQ(asked_, 2);
}

}  // namespace
}  // namespace mgbench

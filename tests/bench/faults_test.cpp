// The table of faults: each is planted in a real run, which must end in bounded time with the code, the word and the
// samples that the table says.
#include <gtest/gtest.h>

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "bench/files/files.h"
#include "report/run_result.h"
#include "support/faulty_job.h"

namespace mgbench {
namespace {

/// What the results folder must hold afterwards.
enum class Left {
  nothing,
  result,  ///< a result, and nothing else
  samples  ///< a result or a journal: all ranks were killed at once, and nobody could turn the one into the other
};

struct Row {
  std::string name;
  int ranks = 2;
  std::string fault;              ///< see faulty_mgbench.cpp
  std::vector<int> codes;         ///< those that may be; launchers have their own for ranks that die of a signal
  std::vector<std::string> says;  ///< HOST stands for this host
  Left left = Left::nothing;
  std::string ended;       ///< of the result: begins with it
  std::size_t rounds = 0;  ///< of the result: at least
};

void PrintTo(const Row& row, std::ostream* stream) {
  *stream << row.name;
}

class Faults : public FaultyJob, public testing::WithParamInterface<Row> {};

TEST_P(Faults, EndAsTheTableSays) {
  const Row& row = GetParam();
  const ProgramResult ended = run(row.ranks, kRun, row.fault);
  record("run", row.ranks, row.fault, ended);
  expect_end(ended, row.codes, row.says);
  const auto left = files();
  if (row.left == Left::nothing) {
    EXPECT_TRUE(left.empty()) << left.front();
    return;
  }
  ASSERT_EQ(left.size(), 1U) << ended.errors;
  const bool whole = left[0].extension() == ".json";
  EXPECT_TRUE(whole || row.left == Left::samples) << left[0];
  EXPECT_EQ(run_program({MGBENCH_FAULTY_PROGRAM, "report", left[0].string()}, folder_.path()).exit_code, 0);
  const RunResult result = run_result_from_json(read_file(left[0]), left[0].string());
  EXPECT_TRUE(!whole || result.ended.starts_with(on_this_host(row.ended))) << result.ended;
  for (const StrategyResult& strategy : result.strategies) {
    EXPECT_EQ(strategy.failure, "");
    EXPECT_GE(strategy.iteration().samples, row.rounds) << strategy.strategy;
    EXPECT_GT(strategy.predicted.iteration, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Table, Faults,
    testing::Values(
        // A rank dies.
        Row{"KilledBuilding", 2, "kill 1 build 1 building", kKilled, {"rank 1 on HOST", "building"}},
        Row{"KilledCalibrating", 3, "kill 2 carry 10 calibrating", kKilled, {"rank 2 on HOST", "calibrating"}},
        Row{"KilledInForward",
            3,
            "kill 1 forward 3 measuring, round 8",
            kKilled,
            {"rank 1 on HOST", "measuring, round 8"},
            Left::samples,
            "broken off after",
            1},
        Row{"KilledInBackward",
            2,
            "kill 1 backward 3 measuring, round 8",
            kKilled,
            {"rank 1 on HOST", "measuring, round 8"},
            Left::samples,
            "broken off after",
            1},
        Row{"KilledInTheCommunicationThread",
            2,
            "kill 1 carry 2 measuring, round 8",
            kKilled,
            {"rank 1 on HOST", "measuring, round 8"},
            Left::samples,
            "broken off after",
            1},
        Row{"RootKilledInBackward", 2, "kill 0 backward 3 measuring, round 8", kKilled, {}, Left::samples, "", 1},
        Row{"KilledWriting", 2, "die-writing 0 iteration 1 measuring, round 8", {3, 153}, {}, Left::samples, "", 1},
        Row{"ExitsInForward", 2, "exit 1 forward 3 measuring, round 8", {0, 1, 3, 137}, {}, Left::samples, "", 1},

        // A rank never gets as far as MPI.
        Row{"StoppedBeforeMpiStarts",
            2,
            "stop 1 main 1 starting",
            kNotMeasured,
            {"rank 0 on HOST: no progress for", "in starting MPI"}},
        Row{"RootStoppedBeforeMpiStarts",
            2,
            "stop 0 main 1 starting",
            kNotMeasured,
            {"rank 1 on HOST: no progress for", "in starting MPI"}},

        // A rank is stopped: silent.
        Row{"StoppedBuilding", 3, "stop 1 build 1 building", kNotMeasured, {"rank 1 on HOST: silent", "building"}},
        Row{"StoppedCalibrating",
            2,
            "stop 1 carry 10 calibrating",
            kNotMeasured,
            {"rank 1 on HOST: silent", "calibrating"}},
        Row{"StoppedInForward",
            2,
            "stop 1 forward 3 measuring, round 8",
            kNotMeasured,
            {"rank 1 on HOST: silent", "measuring, round 8"},
            Left::result,
            "broken off after",
            1},
        Row{"StoppedInBackward",
            3,
            "stop 2 backward 3 measuring, round 8",
            kNotMeasured,
            {"rank 2 on HOST: silent", "measuring, round 8"},
            Left::result,
            "broken off after",
            1},
        Row{"RootStoppedInBackward",
            2,
            "stop 0 backward 3 measuring, round 8",
            kNotMeasured,
            {"rank 0 on HOST: silent"},
            Left::samples,
            "broken off after",
            1},

        // A rank hangs, and still speaks.
        Row{"HangsBuilding",
            2,
            "hang 1 build 1 building",
            kNotMeasured,
            {"rank 1 on HOST: no progress for", "in building"}},
        Row{"HangsCalibrating",
            3,
            "hang 1 carry 10 calibrating",
            kNotMeasured,
            {"rank 1 on HOST: no progress for", "calibrating"}},
        Row{"HangsInForward",
            2,
            "hang 1 forward 3 measuring, round 8",
            kNotMeasured,
            {"rank 1 on HOST: no progress for", ": forward, and the others wait for it"},
            Left::result,
            "broken off after",
            1},
        Row{"HangsInBackward",
            3,
            "hang 2 backward 3 measuring, round 8",
            kNotMeasured,
            {"rank 2 on HOST: no progress for", ": backward, and the others wait for it"},
            Left::result,
            "broken off after",
            1},
        Row{"HangsInTheCommunicationThread",
            2,
            "hang 1 carry 2 measuring, round 8",
            kNotMeasured,
            {"rank 1 on HOST: no progress for", "waiting for messages"},
            Left::result,
            "broken off after",
            1},
        Row{"RootHangsInTheUpdate",
            2,
            "hang 0 update 3 measuring, round 8",
            kNotMeasured,
            {"rank 0 on HOST: no progress for", ": update"},
            Left::result,
            "broken off after",
            1},

        // A rank throws.
        Row{"ThrowsBuilding", 2, "throw 1 build 1 building", kNotMeasured, {"rank 1 on HOST: a planted fault"}},
        Row{"MemoryEndsBuilding", 3, "exhaust 2 build 1 building", kNotMeasured, {"rank 2 on HOST: out of memory"}},
        Row{"ThrowsCalibrating", 2, "throw 1 carry 10 calibrating", kNotMeasured, {"rank 1 on HOST: a planted fault"}},
        Row{"ThrowsInForward",
            2,
            "throw 1 forward 3 measuring, round 8",
            kNotMeasured,
            {"rank 1 on HOST: a planted fault"},
            Left::samples,
            "broken off after",
            1},
        Row{"RootThrowsInBackward",
            3,
            "throw 0 backward 3 measuring, round 8",
            kNotMeasured,
            {"rank 0 on HOST: a planted fault"},
            Left::result,
            "broken off after",
            1},
        Row{"ThrowsInTheCommunicationThread",
            2,
            "throw 1 carry 2 measuring, round 8",
            kNotMeasured,
            {"rank 1 on HOST: a planted fault"},
            Left::samples,
            "broken off after",
            1},

        // Writing the result breaks.
        Row{"HangsWriting",
            3,
            "hang 0 fsync 1 writing",
            kNotMeasured,
            {"rank 0 on HOST: no progress for", "in writing the result, and the others wait for it"},
            Left::result,
            "broken off after",
            6},
        Row{"KilledWritingTheResult", 2, "kill 0 fsync 1 writing", kKilled, {}, Left::samples, "", 6},
        Row{"ThrowsWriting",
            2,
            "throw 0 fsync 1 writing",
            kNotMeasured,
            {"rank 0 on HOST: a planted fault"},
            Left::result,
            "broken off after",
            6},

        // Nothing can be written.
        Row{"FolderVanishes", 2, "vanish 0 iteration 1 measuring, round 8", kNotMeasured, {"results: cannot write"}},
        Row{"DiskIsFull",
            2,
            "full 0 iteration 1 measuring, round 8",
            kNotMeasured,
            {"a crash would lose what is measured", "cannot write a result"},
            Left::samples,
            "",
            1},

        // Told to end.
        Row{"Terminated",
            2,
            "SIGTERM 0 iteration 1 measuring, round 8",
            {0},
            {"mgbench: result: "},
            Left::result,
            "stopped by SIGTERM after 7 rounds",
            7},
        Row{"Interrupted",
            3,
            "SIGINT 2 iteration 1 measuring, round 8",
            {0},
            {"mgbench: result: "},
            Left::result,
            "stopped by SIGINT after 7 rounds",
            7},
        Row{"WarnedOfTheTimeLimit",
            2,
            "SIGUSR1 -1 backward 1 measuring, round 8",
            {0},
            {"mgbench: result: "},
            Left::result,
            "stopped by SIGUSR1 after 7 rounds",
            7},
        Row{"TerminatedTooEarly",
            2,
            "SIGTERM 1 iteration 1 measuring, round 3",
            kNotMeasured,
            {"mgbench: result: "},
            Left::result,
            "stopped by SIGTERM after 2 rounds",
            2},
        Row{"TerminatedCalibrating",
            2,
            "SIGTERM 1 carry 10 calibrating",
            kNotMeasured,
            {"mgbench: stopped by SIGTERM before planning: nothing was saved"}},
        Row{"TerminatedTwice", 2, "twice 1 iteration 1 measuring, round 8", {3, 143}, {}, Left::samples, "", 1},

        // No sample can be trusted.
        Row{"EveryMessageOverruns",
            2,
            "overrun -1 carry 1 measuring",
            kNotMeasured,
            {"mgbench: not measured: synceasgd: all", "; wfbp: all", "were rejected"},
            Left::result},

        // No fault at all.
        Row{"Suspended",
            3,
            "suspend -1 iteration 1 measuring, round 8",
            {0},
            {"mgbench: result: "},
            Left::result,
            "",
            8},
        Row{"Slow", 2, "slow 1 forward 1 ", {0}, {"mgbench: result: ", "Slow: rank 1 on HOST"}, Left::result, "", 6}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace mgbench

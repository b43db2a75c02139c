// The table of faults: each is planted in a real run, which must end in bounded time with the code, the word and the
// samples that the table says.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "bench/build_info.h"
#include "bench/files/files.h"
#include "bench/host/machine.h"
#include "report/run_result.h"
#include "support/run_program.h"

namespace mgbench {
namespace {

constexpr int kStillRunning = 124;  // of timeout(1)

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

std::string on_this_host(std::string text) {
  const std::size_t at = text.find("HOST");
  return at == std::string::npos ? text : text.replace(at, 4, host_name());
}

using Words = std::vector<std::string>;

const Words kRun{"run",    "--model",    "tiny",           "--backend", "faulty", "--communicator",
                 "faulty", "--strategy", "wfbp,synceasgd", "--budget",  "20"};

class FaultyJob : public testing::Test {
 protected:
  ProgramResult run(int ranks, const Words& command, const std::string& fault,
                    const std::string& patience = "3") const {
    Words words{"timeout",
                "--foreground",
                "-k",
                "5",
                "50",
                kMpiLauncher,
                "-n",
                std::to_string(ranks),
                "--oversubscribe",
                "--bind-to",
                "none",
                MGBENCH_FAULTY_PROGRAM};
    words.insert(words.end(), command.begin(), command.end());
    words.insert(words.end(), {"--patience", patience});
    return run_program(words, folder_.path(),
                       {{"MGBENCH_FAULT", fault},
                        {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                        {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
                        {"OMPI_MCA_mpi_yield_when_idle", "1"}});
  }

  /// Of the results folder and those in it, but for what was half written.
  std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> files;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path() / "results", ignored))
      if (entry.is_regular_file() && !entry.path().filename().string().starts_with(".")) files.push_back(entry.path());
    return files;
  }

  static void expect_end(const ProgramResult& ended, const std::vector<int>& codes, const Words& says) {
    ASSERT_NE(ended.exit_code, kStillRunning) << ended.errors;
    EXPECT_NE(std::find(codes.begin(), codes.end(), ended.exit_code), codes.end()) << ended.exit_code << "\n"
                                                                                   << ended.errors;
    const std::string said = ended.output + ended.errors;
    EXPECT_EQ(said.find("gradients are gone"), std::string::npos) << said;
    for (const std::string& part : says)
      EXPECT_NE(said.find(on_this_host(part)), std::string::npos) << part << "\n" << said;
  }

  /// For scripts/fault_table.
  void record(const std::string& command, int ranks, const std::string& fault, const ProgramResult& ended) const {
    RecordProperty("command", command);
    RecordProperty("ranks", ranks);
    RecordProperty("fault", fault);
    RecordProperty("exit_code", ended.exit_code);
    RecordProperty("message", last_word(ended.errors));
    std::string left;
    for (const auto& path : files()) left += (left.empty() ? "" : ", ") + path.filename().string();
    RecordProperty("left", left);
  }

  ScratchFolder folder_;

 private:
  /// What mgbench says when it ends a job, or else what it says last.
  static std::string last_word(const std::string& errors) {
    std::string word;
    std::istringstream lines(errors);
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("mgbench: ")) continue;
      word = line;
      if (line.ends_with("The job is ended.") || line.starts_with("mgbench: rank ")) break;
    }
    return word;
  }
};

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

const std::vector<int> kNotMeasured{3};
const std::vector<int> kKilled{3, 137};  // 128 + SIGKILL

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

struct CommandRow {
  std::string name;
  Words command;
  std::string fault;
  std::vector<int> codes;
  Words says;
  Words holds = {};  ///< the results folder, in sorted order: ends of names
};

void PrintTo(const CommandRow& row, std::ostream* stream) {
  *stream << row.name;
}

class CommandFaults : public FaultyJob, public testing::WithParamInterface<CommandRow> {};

TEST_P(CommandFaults, EndAsTheTableSays) {
  const CommandRow& row = GetParam();
  // Calibrations sum messages of hundreds of megabytes.
  const ProgramResult ended = run(2, row.command, row.fault, "8");
  record(row.command.front(), 2, row.fault, ended);
  expect_end(ended, row.codes, row.says);
  Words names;
  for (const auto& path : files()) names.push_back(path.filename().string());
  std::sort(names.begin(), names.end());
  const bool equal = std::equal(names.begin(), names.end(), row.holds.begin(), row.holds.end(),
                                [](const std::string& name, const std::string& end) { return name.ends_with(end); });
  EXPECT_TRUE(equal) << testing::PrintToString(names);
}

const Words kCalibrate{"calibrate", "--communicator", "faulty", "--budget", "5"};
const Words kPairs{"calibrate", "--pairs"};
const Words kProfile{"profile", "--model", "tiny", "--backend", "faulty"};
const Words kTune{"tune", "--model", "tiny", "--backend", "faulty", "--communicator", "faulty", "--budget", "20"};
const Words kAccept{"accept", "--models", "tiny", "--communicator", "faulty", "--budget", "20"};

INSTANTIATE_TEST_SUITE_P(
    Table, CommandFaults,
    testing::Values(
        CommandRow{"CalibrateKilled", kCalibrate, "kill 1 carry 10 calibrating", kKilled, {"rank 1 on HOST"}},
        CommandRow{"CalibrateHangs",
                   kCalibrate,
                   "hang 1 carry 10 calibrating",
                   kNotMeasured,
                   {"rank 1 on HOST: no progress for", "calibrating"}},
        CommandRow{"CalibrateTerminated",
                   kCalibrate,
                   "SIGTERM 1 carry 10 calibrating",
                   {0, 3},
                   {"stopped by SIGTERM", "mgbench: calibration: "},
                   {"-calibrate-2ranks.yaml"}},
        CommandRow{"ProfileWarned",
                   kProfile,
                   "SIGUSR1 0 iteration 1 profiling, round 3",
                   kNotMeasured,
                   {"stopped by SIGUSR1 after 3 rounds"},
                   {"-profile-tiny.yaml"}},
        CommandRow{"ProfileStopped", kProfile, "stop 1 backward 1 profiling", kNotMeasured, {"rank 1 on HOST: silent"}},
        CommandRow{"TuneThrows",
                   kTune,
                   "throw 0 forward 1 measuring, round 3",
                   kNotMeasured,
                   {"rank 0 on HOST: a planted fault"},
                   {"-tune-tiny.json"}},
        CommandRow{"TuneTrustsNoSample",
                   kTune,
                   "overrun -1 carry 1 measuring",
                   kNotMeasured,
                   {"mgbench: not measured: ", "wfbp: all"},
                   {"-tune-tiny.json"}},
        CommandRow{"AcceptTrustsNoSample",
                   kAccept,
                   "overrun -1 carry 1 measuring",
                   kNotMeasured,
                   {"mgbench: not measured: tiny: ", "wfbp: all"},
                   {"-calibrate-2ranks.yaml", "checks.json", "checks.md", "junit.xml", "log.txt", "pairs.json",
                    "report.html", "report.md", "tiny.json"}},
        CommandRow{"AcceptHangs",
                   kAccept,
                   "hang 1 carry 2 measuring, round 3",
                   kNotMeasured,
                   {"rank 1 on HOST: no progress for"},
                   {"-calibrate-2ranks.yaml", "-accept-tiny.json", "log.txt", "pairs.json"}},
        CommandRow{"AcceptTerminated",
                   kAccept,
                   "SIGTERM 1 carry 2 measuring, round 3",
                   {1, 3},
                   {"stopped by SIGTERM before the verdict"},
                   {"-calibrate-2ranks.yaml", "checks.json", "checks.md", "junit.xml", "log.txt", "pairs.json",
                    "report.html", "report.md", "tiny.json"}}),
    [](const auto& row) { return row.param.name; });

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

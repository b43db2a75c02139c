// The same of the commands beside `mgbench run`: one fault each that they meet on their own way.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "support/faulty_job.h"

namespace mgbench {
namespace {

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
const Words kTune{"tune", "--model", "tiny", "--backend", "faulty", "--communicator", "faulty", "--budget", "12"};
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

}  // namespace
}  // namespace mgbench

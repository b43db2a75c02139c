#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "bench/build_info.h"
#include "bench/host/machine.h"
#include "support/run_program.h"

namespace mgbench {

inline constexpr int kStillRunning = 124;  // of timeout(1)

inline std::string on_this_host(std::string text) {
  const std::size_t at = text.find("HOST");
  return at == std::string::npos ? text : text.replace(at, 4, host_name());
}

using Words = std::vector<std::string>;

inline const std::vector<int> kNotMeasured{3};
inline const std::vector<int> kKilled{3, 137};  // 128 + SIGKILL

inline const Words kRun{"run",    "--model",    "tiny",           "--backend", "faulty", "--communicator",
                        "faulty", "--strategy", "wfbp,synceasgd", "--budget",  "20"};

/// faulty_mgbench under a launcher, in a folder of its own, with one fault planted.
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

}  // namespace mgbench

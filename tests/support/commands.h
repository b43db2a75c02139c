#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "report/profile_file.h"
#include "support/run_program.h"

namespace mgbench {

/// The program as a user types it, in a folder of its own.
class Commands : public testing::Test {
 protected:
  ProgramResult mgbench(std::vector<std::string> words,
                        const std::vector<std::pair<std::string, std::string>>& variables = {}) const {
    words.insert(words.begin(), MGBENCH_PROGRAM);
    return run_program(words, folder_.path(), variables);
  }

  /// What it says on a terminal of 80 columns, with lines that end as elsewhere.
  std::string on_terminal(const std::string& words, const std::string& variables) const {
    const std::string command = "stty columns 80; env " + variables + " '" + MGBENCH_PROGRAM + "' " + words;
    std::string output = run_program({"script", "-qec", command, "/dev/null"}, folder_.path()).output;
    std::erase(output, '\r');
    return output;
  }

  /// One line that holds all of `parts`, exit 2, nothing written.
  void expect_refused(const std::vector<std::string>& words, const std::vector<std::string>& parts) const {
    const auto before = folder_.names();
    const ProgramResult result = mgbench(words);
    EXPECT_EQ(result.exit_code, 2) << result.errors;
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
    for (const std::string& part : parts)
      EXPECT_NE(result.errors.find(part), std::string::npos) << part << "\n" << result.errors;
    EXPECT_EQ(result.output, "");
    EXPECT_EQ(folder_.names(), before);
  }

  /// The only file in results/ whose name ends so; its text.
  std::string result_file(const std::string& ending) const {
    std::string found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path() / "results"))
      if (entry.path().string().ends_with(ending)) found = entry.path().string();
    return found;
  }

  static std::string text_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return std::move(text).str();
  }

  /// Of a file in the folder.
  std::string text_in(const std::string& name) const { return text_of((folder_.path() / name).string()); }

  /// A profile of three steps, and a calibration of two ranks.
  std::string write_profile() const {
    Profile profile{.model = "toy", .backend = "replay", .ranks = 2, .batch = 1, .steps = {}, .update = 1e-4};
    for (const char* name : {"first", "second", "third"})
      profile.steps.push_back({.name = name, .forward = 1e-3, .backward = 2e-3, .tensors = {{name, 4000}}});
    return folder_.write("profile.yaml", to_yaml(profile));
  }

  ScratchFolder folder_;
};

}  // namespace mgbench

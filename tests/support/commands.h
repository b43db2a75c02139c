#pragma once

#include <gtest/gtest.h>

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

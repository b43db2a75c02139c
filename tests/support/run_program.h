#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mgbench {

struct ProgramResult {
  int exit_code = -1;  ///< 128 + signal where one ended it
  std::string output;  ///< standard output
  std::string errors;  ///< standard error
};

/// Runs a program without a shell, in `folder`, with variables added to the environment, and waits for its end. Under
/// the address sanitizer, what leaks inside the MPI library is not reported, in whatever the program starts either.
ProgramResult run_program(const std::vector<std::string>& command, const std::filesystem::path& folder,
                          const std::vector<std::pair<std::string, std::string>>& variables = {});

/// A folder of its own for one test, removed at the end.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Writes a file into it and returns its path.
  std::string write(const std::string& name, const std::string& text) const;
  /// The names in it, sorted.
  std::vector<std::string> names() const;

 private:
  std::filesystem::path path_;
};

}  // namespace mgbench

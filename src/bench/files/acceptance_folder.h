#pragma once

#include <filesystem>
#include <string>

namespace mgbench {

/// A folder of its own for one acceptance. What is found is in it as soon as it is found, so that a job that breaks off
/// leaves what it had.
class AcceptanceFolder {
 public:
  /// Makes `parent`/DATE-acceptance, or one with -2, -3, ... behind it. Throws Error with the system's reason.
  explicit AcceptanceFolder(const std::filesystem::path& parent);

  const std::filesystem::path& path() const { return path_; }
  /// Writes a new file of that name and returns its path.
  std::filesystem::path add(const std::string& name, const std::string& text) const;
  /// Adds to log.txt.
  void log(const std::string& text);

 private:
  std::filesystem::path path_;
  std::string log_;
};

}  // namespace mgbench

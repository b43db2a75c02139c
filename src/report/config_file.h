#pragma once

#include <string>
#include <vector>

#include "report/document.h"

namespace mgbench {

/// A YAML map whose keys are the long names of options ("model: resnet50"): values for those that the command
/// line does not set.
class ConfigFile {
 public:
  /// Throws Error with `file`:line for YAML errors and for keys that are not in `options`, naming the nearest.
  ConfigFile(const std::string& text, const std::string& file, const std::vector<std::string>& options);

  /// As words of a command line: "--model=resnet50".
  std::vector<std::string> arguments() const;

  /// Throws `message` with the file:line of the key `option`, if the file sets it.
  void blame(const std::string& option, const std::string& message) const;

 private:
  Document document_;
};

}  // namespace mgbench

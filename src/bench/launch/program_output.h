#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/units.h"

namespace mgbench {

struct OutputRequest {
  Seconds patience = 10;                              ///< then the program is killed
  std::size_t most = std::size_t{64} * 1024;          ///< bytes that are kept
  std::map<std::string, std::string> variables = {};  ///< set in its environment, in place of this program's
};

/// What a program prints on both streams; empty where it cannot be started. Without a shell. What one says that is
/// killed is kept up to then.
std::string program_output(std::vector<std::string> command, const OutputRequest& request = {});

}  // namespace mgbench

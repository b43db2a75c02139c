#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "bench/run_config.h"

namespace mgbench {

/// The parser of the whole command line and what it fills in. Help, the manual page and completion are made from it.
class CommandTree {
 public:
  CommandTree();
  CommandTree(const CommandTree&) = delete;  // the parser points into it
  CommandTree& operator=(const CommandTree&) = delete;

  CLI::App app;
  RunConfig config;
  std::string config_file;
};

/// The names of an option of `command`, without hyphens: "o", "output".
std::vector<std::string> option_names(const CLI::App& command);

/// "-o" and "--output" of such a name.
std::string with_hyphens(const std::string& name);

}  // namespace mgbench

#pragma once

#include <string>

namespace mgbench {

/// A script for bash that completes commands, options, and values: names that are registered, files and folders.
std::string bash_completion();

}  // namespace mgbench

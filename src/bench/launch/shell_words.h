#pragma once

#include <string>
#include <vector>

namespace mgbench {

/// A command line that can be pasted into a shell. For display alone: the program never starts a shell.
std::string shell_words(const std::vector<std::string>& words);

}  // namespace mgbench

#pragma once

#include <string>

namespace mgbench {

/// The same for zsh as bash_completion() for bash, with what each command and option is for: a file _mgbench in a
/// folder of $fpath.
std::string zsh_completion();

}  // namespace mgbench

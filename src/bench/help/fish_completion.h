#pragma once

#include <string>

namespace mgbench {

/// The same for fish as bash_completion() for bash, with what each command and option is for.
std::string fish_completion();

}  // namespace mgbench

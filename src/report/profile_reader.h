#pragma once

#include <string>
#include <vector>

#include "planner/profile.h"

namespace mgbench {

/// A profile, whatever it was saved as.
struct ReadProfile {
  Profile profile;
  std::vector<std::string> remarks;  ///< what the source does not tell, for the user to know
};

/// Reads mgbench's YAML and JSON, CSV in ready order, a trace of PyTorch's profiler, or a timeline of Horovod:
/// recognized by content. Throws Error with `file` and line (or JSON path) for whatever cannot be read faithfully.
ReadProfile read_profile_text(const std::string& text, const std::string& file);

}  // namespace mgbench

#pragma once

#include <string>

#include "planner/profile.h"

namespace mgbench {

/// A profile as YAML (readable, one line a step); from_yaml throws Error with `file`:line for anything
/// malformed, missing, unknown or out of range.
std::string to_yaml(const Profile& profile);
Profile profile_from_yaml(const std::string& text, const std::string& file);

}  // namespace mgbench

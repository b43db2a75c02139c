#pragma once

#include <string>

#include "planner/device.h"

namespace mgbench {

/// Throws Error with `file`:line for anything malformed, missing, unknown or out of range.
Device device_from_yaml(const std::string& text, const std::string& file);

}  // namespace mgbench

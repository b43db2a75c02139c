#pragma once

#include <string>

#include "planner/device_figures.h"

namespace mgbench {

/// Throws Error with `file`:line for anything malformed, missing, unknown or out of range.
DeviceFigures device_from_yaml(const std::string& text, const std::string& file);

}  // namespace mgbench

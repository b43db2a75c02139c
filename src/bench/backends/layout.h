#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/network.h"

namespace mgbench {

/// "channels-first", "channels-last".
const char* name_of(Layout layout);

/// None for "auto"; throws Error naming all for another word.
std::optional<Layout> layout_named(const std::string& name);

}  // namespace mgbench

#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "report/document.h"

namespace mgbench {

/// Keeps the order in which keys are written.
using Json = nlohmann::ordered_json;

/// Indented, with everything short (a sample, a message, a tensor) on one line of its own. Numbers read back
/// exactly. Throws Error(not_measured) naming the path of a number that is not finite: JSON has none, and it
/// must not become a null.
std::string write_json(const Json& value);

/// Throws Error with `file` and the line for anything that is not JSON.
Document parse_json(const std::string& text, const std::string& file);

}  // namespace mgbench

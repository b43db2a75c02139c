#pragma once

#include <string>

#include "report/document.h"

namespace mgbench {

/// One YAML document, without anchors, aliases, tags and keys that are not scalars. Throws Error with
/// `file`:line.
Document parse_yaml(const std::string& text, const std::string& file);

/// `text` as a YAML scalar on one line: plain where that is safe, else in double quotes.
std::string yaml_scalar(const std::string& text);

}  // namespace mgbench

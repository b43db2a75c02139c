#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/import/log_text.h"

namespace mgbench {

/// What a comment line of a CSV sets: "# ranks=8".
struct CommentSetting {
  std::string name;
  std::string value;
};

/// None for a comment that sets nothing. Throws Error with `file`:line and the nearest name for one that is not in
/// `known`.
std::optional<CommentSetting> comment_setting(const LogLine& line, const std::string& file,
                                              const std::vector<std::string>& known);

}  // namespace mgbench

#pragma once

#include <string>
#include <vector>

#include "report/named_result.h"

namespace mgbench {

/// One row a sample of each strategy, in seconds, as RFC 4180 has it: lines end in CR LF, and fields that hold a comma,
/// a quote or a line break stand in quotes. A text that a spreadsheet would take for a formula begins with an
/// apostrophe.
std::string samples_csv(const std::vector<NamedResult>& results);

}  // namespace mgbench

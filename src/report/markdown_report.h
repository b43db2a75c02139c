#pragma once

#include <string>
#include <vector>

#include "report/named_result.h"

namespace mgbench {

/// For a pull request: of each result the verdict, the side-by-side table and the environment; then where the
/// environments differ.
std::string markdown_report(const std::vector<NamedResult>& results);

}  // namespace mgbench

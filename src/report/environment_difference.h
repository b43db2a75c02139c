#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/run_result.h"
#include "report/table.h"

namespace mgbench {

/// A key that stands in one of several environments and is not the same in all of them.
struct EnvironmentDifference {
  std::string key;
  std::vector<std::optional<std::string>> values;  ///< of each environment; none: it is not there
};

/// By key.
std::vector<EnvironmentDifference> environment_differences(const std::vector<Environment>& environments);

/// For a terminal of `width` columns: each key, and below it what it is in each of `names`, equal ones together.
std::string format_differences(const std::vector<std::string>& names,
                               const std::vector<EnvironmentDifference>& differences,
                               std::size_t width = kDefaultWidth);

}  // namespace mgbench

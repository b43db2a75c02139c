#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/environment_difference.h"
#include "report/run_result.h"

namespace mgbench {

/// A result and the file that it is from.
struct NamedResult {
  std::string file;
  RunResult result;
};

/// Throws Error with `file` as run_result_from_json does, and where a plan does not hold the profile's tensors:
/// reports name the tensors of messages.
NamedResult read_named_result(const std::string& text, const std::string& file);

/// Tensors of the messages of a strategy, in the order sent; none where it has no plan.
std::vector<std::vector<Tensor>> message_tensors(const RunResult& result, const StrategyResult& strategy);

std::vector<EnvironmentDifference> environment_differences(const std::vector<NamedResult>& results);

}  // namespace mgbench

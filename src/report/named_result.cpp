#include "report/named_result.h"

#include <fmt/format.h>

#include "report/document.h"
#include "report/tensor_groups.h"

namespace mgbench {

NamedResult read_named_result(const std::string& text, const std::string& file) {
  NamedResult named{file, run_result_from_json(text, file)};
  const std::size_t tensors = ready_tensors(named.result.profile).size();
  for (const StrategyResult& strategy : named.result.strategies)
    if (!strategy.group_ends.empty() && strategy.group_ends.back() != tensors)
      fail_at(file, 0,
              fmt::format("strategy {}: its plan holds {} tensors, expected the {} of the profile", strategy.strategy,
                          strategy.group_ends.back(), tensors));
  return named;
}

std::vector<std::vector<Tensor>> message_tensors(const RunResult& result, const StrategyResult& strategy) {
  if (strategy.group_ends.empty()) return {};
  return tensor_groups(result.profile, MergePlan(strategy.group_ends));
}

std::vector<EnvironmentDifference> environment_differences(const std::vector<NamedResult>& results) {
  std::vector<Environment> environments;
  for (const NamedResult& named : results) environments.push_back(named.result.environment);
  return environment_differences(environments);
}

}  // namespace mgbench

#include "report/environment_difference.h"

#include <algorithm>
#include <set>

namespace mgbench {

std::vector<EnvironmentDifference> environment_differences(const std::vector<Environment>& environments) {
  std::set<std::string> keys;
  for (const Environment& environment : environments)
    for (const auto& [key, value] : environment) keys.insert(key);
  std::vector<EnvironmentDifference> differences;
  for (const std::string& key : keys) {
    EnvironmentDifference difference{key, {}};
    for (const Environment& environment : environments) {
      const auto found = environment.find(key);
      difference.values.push_back(found == environment.end() ? std::nullopt : std::optional(found->second));
    }
    const auto& values = difference.values;
    if (!std::equal(values.begin() + 1, values.end(), values.begin())) differences.push_back(std::move(difference));
  }
  return differences;
}

}  // namespace mgbench

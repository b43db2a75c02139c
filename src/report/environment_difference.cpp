#include "report/environment_difference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
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

std::string format_differences(const std::vector<std::string>& names,
                               const std::vector<EnvironmentDifference>& differences, std::size_t width) {
  if (differences.empty()) return "Environments: no difference.\n";
  std::string text = "Environments differ:\n";
  for (const auto& [key, values] : differences) {
    std::map<std::optional<std::string>, std::vector<std::string>> names_by_value;
    for (std::size_t i = 0; i < values.size(); ++i) names_by_value[values[i]].push_back(names.at(i));
    text += wrap("  " + key, width, 4);
    for (const auto& [value, holders] : names_by_value)
      text += wrap(fmt::format("    {}: {}", fmt::join(holders, ", "), value.value_or("(not set)")), width, 6);
  }
  return text;
}

}  // namespace mgbench

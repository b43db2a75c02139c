#include "base/names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace mgbench {
namespace {

/// Names may come from files; a table of distances to one of megabytes would not fit into memory.
constexpr std::size_t kLongestName = 100;

/// Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours, letter case ignored.
std::size_t edit_distance(std::string_view left, std::string_view right) {
  auto lower = [](char letter) { return std::tolower(static_cast<unsigned char>(letter)); };
  std::vector<std::vector<std::size_t>> distance(left.size() + 1, std::vector<std::size_t>(right.size() + 1));
  for (std::size_t i = 0; i <= left.size(); ++i)
    for (std::size_t j = 0; j <= right.size(); ++j) {
      if (i == 0 || j == 0) {
        distance[i][j] = i + j;
        continue;
      }
      const std::size_t changed = lower(left[i - 1]) == lower(right[j - 1]) ? 0 : 1;
      distance[i][j] = std::min({distance[i - 1][j] + 1, distance[i][j - 1] + 1, distance[i - 1][j - 1] + changed});
      if (i > 1 && j > 1 && lower(left[i - 1]) == lower(right[j - 2]) && lower(left[i - 2]) == lower(right[j - 1]))
        distance[i][j] = std::min(distance[i][j], distance[i - 2][j - 2] + 1);
    }
  return distance[left.size()][right.size()];
}

}  // namespace

std::string suggestion(std::string_view name, const std::vector<std::string>& choices) {
  if (choices.empty()) return "";
  name = name.substr(0, kLongestName);
  const auto nearest = std::min_element(choices.begin(), choices.end(), [&](const auto& left, const auto& right) {
    return edit_distance(name, left) < edit_distance(name, right);
  });
  const bool near = edit_distance(name, *nearest) <= std::max<std::size_t>(1, nearest->size() / 3);
  return fmt::format("; {}choices: {}", near ? fmt::format("did you mean '{}'? ", *nearest) : "",
                     fmt::join(choices, ", "));
}

}  // namespace mgbench

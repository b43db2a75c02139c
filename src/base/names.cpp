#include "base/names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace mgbench {
namespace {

/// Levenshtein distance, letter case ignored.
std::size_t edit_distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> row(right.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < left.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < right.size(); ++j) {
      const bool same =
          std::tolower(static_cast<unsigned char>(left[i])) == std::tolower(static_cast<unsigned char>(right[j]));
      const std::size_t substituted = diagonal + (same ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string suggestion(std::string_view name, const std::vector<std::string>& choices) {
  if (choices.empty()) return "";
  const auto nearest = std::min_element(choices.begin(), choices.end(), [&](const auto& left, const auto& right) {
    return edit_distance(name, left) < edit_distance(name, right);
  });
  const bool near = edit_distance(name, *nearest) <= std::max<std::size_t>(1, nearest->size() / 3);
  return fmt::format("; {}choices: {}", near ? fmt::format("did you mean '{}'? ", *nearest) : "",
                     fmt::join(choices, ", "));
}

}  // namespace mgbench

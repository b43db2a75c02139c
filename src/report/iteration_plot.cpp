#include "report/iteration_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/printable.h"
#include "report/table.h"

namespace mgbench {
namespace {

constexpr std::size_t kLongestName = 24;
constexpr std::size_t kLeastAxis = 20;
constexpr std::size_t kMostAxis = 72;
constexpr const char* kGreen = "\033[32m";
constexpr const char* kPlain = "\033[0m";

Interval reach(const MedianEstimate& estimate) {
  return estimate.interval.value_or(Interval{estimate.median, estimate.median});
}

struct Axis {
  Seconds begin = 0;
  Seconds end = 0;
  std::size_t columns = 0;

  std::size_t column(Seconds seconds) const {
    const double last = static_cast<double>(columns - 1);
    return static_cast<std::size_t>(std::lround(std::clamp((seconds - begin) / (end - begin), 0.0, 1.0) * last));
  }
};

std::string mark(const MedianEstimate& estimate, const Axis& axis) {
  std::string line(axis.columns, ' ');
  const auto [low, high] = reach(estimate);
  const std::size_t first = axis.column(low);
  const std::size_t last = axis.column(high);
  std::fill(line.begin() + static_cast<std::ptrdiff_t>(first), line.begin() + static_cast<std::ptrdiff_t>(last), '-');
  if (estimate.interval) line[first] = line[last] = '|';
  line[axis.column(estimate.median)] = 'o';
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

}  // namespace

std::string iteration_plot(const std::vector<SummaryRow>& rows, std::size_t width, bool color) {
  std::vector<const SummaryRow*> shown;
  for (const SummaryRow& row : rows)
    if (row.failure.empty() && row.iteration.samples > 0) shown.push_back(&row);
  Axis axis{.begin = std::numeric_limits<double>::infinity()};
  std::size_t names = 0;
  Seconds shortest = axis.begin;
  for (const SummaryRow* row : shown) {
    axis.begin = std::min(axis.begin, reach(row->iteration).low);
    axis.end = std::max(axis.end, reach(row->iteration).high);
    shortest = std::min(shortest, row->iteration.median);
    names = std::max(names, std::min(kLongestName, row->strategy.size()));
  }
  if (shown.size() < 2 || !(axis.end > axis.begin)) return "";
  axis.columns = std::clamp(width - std::min(width, names + 2), kLeastAxis, kMostAxis);

  const TimeScale scale(axis.begin);
  const std::string end = fmt::format("{} {}", scale(axis.end), scale.unit());
  std::string text = fmt::format("{:<{}}  {:<{}}{}\n", "", names, scale(axis.begin), axis.columns - end.size(), end);
  for (const SummaryRow* row : shown) {
    const bool green = color && row->iteration.median == shortest;
    text += fmt::format("{:<{}.{}}  {}{}{}\n", printable(row->strategy), names, names, green ? kGreen : "",
                        mark(row->iteration, axis), green ? kPlain : "");
  }
  return text;
}

}  // namespace mgbench

#include "report/machine_load.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <sstream>
#include <tuple>
#include <utility>

namespace mgbench {
namespace {

constexpr std::size_t kMostNamed = 10;
constexpr double kOthers = 0.02;
constexpr Seconds kLeastOthers = 0.1;  // times are told in ticks of a hundredth of a second
constexpr double kSteal = 0.01;
constexpr double kClock = 0.05;

template <typename T>
std::optional<T> difference(const std::optional<T>& begin, const std::optional<T>& end) {
  if (!begin || !end || *end < *begin) return std::nullopt;
  return *end - *begin;
}

/// None where no number begins there.
template <typename Integer>
std::optional<Integer> number_at(const std::string& text, std::size_t begin) {
  Integer value = 0;
  if (std::from_chars(text.data() + begin, text.data() + text.size(), value).ec != std::errc()) return std::nullopt;
  return value;
}

}  // namespace

bool HostLoad::busy_with_others() const {
  return others > kOthers && others * seconds * processors > kLeastOthers;
}

bool HostLoad::stolen() const {
  return steal > kSteal;
}

bool HostLoad::clock_changed() const {
  return begin_hertz && end_hertz && std::abs(*end_hertz / *begin_hertz - 1) > kClock;
}

bool HostLoad::disturbed() const {
  return busy_with_others() || stolen() || clock_changed() || throttled.value_or(0) > 0;
}

std::set<int> processors_of(const std::string& list) {
  std::set<int> processors;
  std::istringstream ranges(list);
  for (std::string range; std::getline(ranges, range, ',');) {
    std::istringstream bounds(range);
    int first = 0;
    if (!(bounds >> first)) continue;
    int last = first;
    if (bounds.get() == '-') bounds >> last;
    for (int processor = first; processor <= last; ++processor) processors.insert(processor);
  }
  return processors;
}

ProcessorTimes processor_times(const std::string& stat, const std::set<int>& processors, double ticks_per_second) {
  ProcessorTimes times;
  std::istringstream lines(stat);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string name;
    fields >> name;
    const auto processor = name.starts_with("cpu") ? number_at<int>(name, 3) : std::nullopt;  // "cpu": of all
    if (!processor || !processors.contains(*processor)) continue;
    // Guests come after these and are counted in user and nice.
    enum { user, nice, system, idle, iowait, irq, softirq, steal, count };
    std::array<double, count> ticks{};
    for (double& value : ticks) fields >> value;
    times.busy += (ticks[user] + ticks[nice] + ticks[system]) / ticks_per_second;
    times.steal += ticks[steal] / ticks_per_second;
    for (const double value : ticks) times.all += value / ticks_per_second;
  }
  return times;
}

std::optional<Seconds> stalled_time(const std::string& pressure) {
  const std::string key = "total=";
  const auto at = pressure.find(key);
  if (!pressure.starts_with("some ") || at == std::string::npos) return std::nullopt;
  const auto microseconds = number_at<std::uint64_t>(pressure, at + key.size());
  if (!microseconds) return std::nullopt;
  return static_cast<double>(*microseconds) * 1e-6;
}

std::optional<HostLoad> load_between(const HostReading& begin, const HostReading& end, int processors) {
  const Seconds all = end.processors.all - begin.processors.all;
  if (all <= 0 || processors < 1) return std::nullopt;
  const Seconds others = (end.processors.busy - begin.processors.busy) - (end.own - begin.own);
  HostLoad load{.host = "", .first_rank = 0, .processors = processors, .seconds = all / processors};
  load.others = std::clamp(others / all, 0.0, 1.0);
  load.steal = std::clamp((end.processors.steal - begin.processors.steal) / all, 0.0, 1.0);
  if (const auto stalled = difference(begin.stalled, end.stalled))
    load.stalled = std::min(1.0, *stalled / load.seconds);
  load.begin_hertz = begin.clock_hertz;
  load.end_hertz = end.clock_hertz;
  load.throttled = difference(begin.throttled, end.throttled);
  return load;
}

MachineLoad summarize_load(std::vector<HostLoad> loads) {
  std::stable_sort(loads.begin(), loads.end(), [](const HostLoad& left, const HostLoad& right) {
    return std::make_tuple(left.disturbed(), left.others + left.steal) >
           std::make_tuple(right.disturbed(), right.others + right.steal);
  });
  MachineLoad result{.hosts = loads.size(), .disturbed = 0, .worst = {}};
  for (const HostLoad& load : loads) result.disturbed += load.disturbed() ? 1 : 0;
  if (loads.size() > kMostNamed) loads.resize(kMostNamed);
  result.worst = std::move(loads);
  return result;
}

}  // namespace mgbench

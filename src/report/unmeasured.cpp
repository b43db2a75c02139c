#include "report/unmeasured.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "report/statistics.h"

namespace mgbench {
namespace {

constexpr std::size_t kSizesOfALine = 3;  // two have a line through them, whatever they are

std::string count_of(std::size_t count, const std::string& thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string reason_of(const StrategyResult& strategy) {
  constexpr const char* kRejected = "rejected (an emulated message overran its deadline)";
  const std::size_t samples = strategy.samples.size();
  if (samples == 0) return "no iteration was timed";
  if (strategy.rejected() == samples) return fmt::format("all {} were {}", count_of(samples, "sample"), kRejected);
  std::string reason = fmt::format("{}, expected {} at least, which an interval takes",
                                   count_of(strategy.iteration().samples, "round"), kLeastSamples);
  if (strategy.rejected() > 0)
    reason += fmt::format("; {} of {} samples were {}", strategy.rejected(), samples, kRejected);
  return reason;
}

}  // namespace

std::map<std::string, std::string> unmeasured_strategies(const RunResult& result) {
  std::map<std::string, std::string> reasons;
  for (const StrategyResult& strategy : result.strategies)
    if (strategy.failure.empty() && !strategy.dropped && strategy.iteration().samples < kLeastSamples)
      reasons[strategy.strategy] = reason_of(strategy);
  return reasons;
}

std::string format_unmeasured(const RunResult& result) {
  std::vector<std::string> parts;
  for (const auto& [strategy, reason] : unmeasured_strategies(result)) parts.push_back(strategy + ": " + reason);
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string unmeasured_sizes(const Calibration& calibration) {
  const std::vector<CalibrationPoint>& points = calibration.planning_curve().points;
  const auto certain = static_cast<std::size_t>(std::count_if(
      points.begin(), points.end(), [](const CalibrationPoint& point) { return point.interval.has_value(); }));
  const std::size_t expected = calibration.provenance.contains("ended") ? points.size() : kSizesOfALine;
  if (certain >= expected) return "";
  return fmt::format("{} of {} sizes of an allreduce have an interval, which takes {} samples; expected {} at least",
                     certain, points.size(), kLeastSamples, expected);
}

}  // namespace mgbench

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

std::string reason_of(const StrategyResult& strategy) {
  constexpr const char* kRejected = "rejected (an emulated message overran its deadline)";
  const std::size_t samples = strategy.samples.size();
  if (samples == 0) return "no iteration was timed";
  if (strategy.rejected() == samples)
    return samples == 1 ? fmt::format("its only sample was {}", kRejected)
                        : fmt::format("all {} samples were {}", samples, kRejected);
  const std::size_t rounds = strategy.iteration().samples;
  std::string reason = fmt::format("{} round{}, expected {} at least, which an interval takes", rounds,
                                   rounds == 1 ? "" : "s", kLeastSamples);
  if (strategy.rejected() > 0)
    reason += fmt::format("; {} of {} samples {} {}", strategy.rejected(), samples,
                          strategy.rejected() == 1 ? "was" : "were", kRejected);
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
  for (const auto& [strategy, reason] : unmeasured_strategies(result))
    parts.push_back(fmt::format("{}: {}", strategy, reason));
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

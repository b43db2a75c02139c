#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/criteria.h"
#include "report/yaml.h"

namespace mgbench {
namespace {

/// Medians of unchanged runs differ by some percent, which a single run does not show.
constexpr double kLeastMargin = 0.05;

/// A family that systems are accepted by, and in what unit.
struct Accepted {
  const char* family;
  const char* unit;
  double scale;
  bool of_training;  ///< holds for one model and batch only
};

constexpr std::array<Accepted, 5> kAccepted{{{"iteration", "ms", 1e-3, true},
                                             {"efficiency", "%", 0.01, true},
                                             {"rank_spread", "ratio", 1, true},
                                             {"latency", "us", 1e-6, false},
                                             {"bus_bandwidth", "GB/s", 1e9, false}}};

/// The standard deviation of normal values with this median absolute deviation is 1.4826 times as large.
double robust_deviation(const std::vector<double>& values) {
  const double middle = median(values);
  std::vector<double> distances;
  for (const double value : values) distances.push_back(std::abs(value - middle));
  return 1.4826 * median(distances);
}

double margin_of(const Metric& metric) {
  double deviation = 0;
  if (!metric.by_round.empty())
    deviation = robust_deviation(metric.by_round);
  else if (metric.value.interval)
    deviation = (metric.value.interval->high - metric.value.interval->low) / 2;
  return std::max(kLeastMargin, 3 * deviation / metric.value.median);
}

std::string criterion_text(const Metric& metric, const Accepted& accepted, const Measurement& measurement) {
  const std::size_t slash = metric.name.find('/');
  const std::string strategy = slash == std::string::npos ? "" : metric.name.substr(slash + 1);
  const double margin = margin_of(metric);
  const double value = metric.value.median / accepted.scale;
  const bool at_most = metric.better == Better::lower;
  std::string text =
      fmt::format("  - name: {}\n    metric: {}\n",
                  yaml_scalar(strategy.empty() ? accepted.family : fmt::format("{} of {}", accepted.family, strategy)),
                  accepted.family);
  if (!strategy.empty()) text += fmt::format("    strategy: {}\n", yaml_scalar(strategy));
  text += fmt::format("    {}: {:.4g}\n    unit: {}\n", at_most ? "at_most" : "at_least",
                      at_most ? value * (1 + margin) : value / (1 + margin), yaml_scalar(accepted.unit));
  for (const auto& [key, condition] : measurement.conditions)
    if (key == "ranks" || (accepted.of_training && key != "interconnect"))
      text += fmt::format("    {}: {}\n", key, yaml_scalar(condition));
  text +=
      fmt::format("    required: true\n    source: {}\n",
                  yaml_scalar(fmt::format("{:.4g} {} measured, margin {:.1f} %", value, accepted.unit, 100 * margin)));
  return text;
}

}  // namespace

std::string criteria_template(const Measurement& measurement) {
  std::string criteria;
  for (const Accepted& accepted : kAccepted)
    for (const Metric& metric : measurement.metrics)
      if (family_of(metric.name).name == accepted.family && metric.value.median > 0 &&
          !measurement.reason_without_times(metric.name))
        criteria += criterion_text(metric, accepted, measurement);
  require(!criteria.empty(), "{}: holds no figure that criteria are made of", measurement.file);
  return fmt::format(
      "# Criteria of mgbench check, made from the run below. Margins are three robust standard deviations of its "
      "rounds, "
      "at\n# least {:g} %: how much runs differ from each other one run does not tell. Keep what matters, and set "
      "bounds "
      "that\n# the system is meant to hold.\n# run: {}\n# date: {}\n# interconnect: {}\ncriteria:\n{}",
      100 * kLeastMargin, yaml_scalar(measurement.file), yaml_scalar(measurement.date),
      yaml_scalar(measurement.conditions.at("interconnect")), criteria);
}

}  // namespace mgbench

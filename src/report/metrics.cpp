#include "report/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/names.h"
#include "report/log_estimate.h"
#include "report/round_times.h"
#include "report/table.h"

namespace mgbench {
namespace {

using Members = MetricFamily::Members;

/// "1MiB": the largest unit that leaves a whole number.
std::string size_name(Bytes bytes) {
  static constexpr std::array<const char*, 4> kUnits{"B", "KiB", "MiB", "GiB"};
  std::size_t unit = 0;
  for (; unit + 1 < kUnits.size() && bytes % 1024 == 0; ++unit) bytes /= 1024;
  return fmt::format("{}{}", bytes, kUnits[unit]);
}

Metric make_metric(std::string name, MedianEstimate value, std::vector<double> by_round = {}) {
  const MetricFamily& family = family_of(name);
  return {.name = std::move(name),
          .quantity = family.quantity,
          .better = family.better,
          .value = value,
          .by_round = std::move(by_round)};
}

Metric make_metric(std::string name, const RoundTimes& times) {
  std::vector<double> values;
  for (const auto& [round, time] : times) values.push_back(time);
  return make_metric(std::move(name), median_of_rounds(times), std::move(values));
}

/// One rank's time alone by that of all together. How uncertain the former is shows in every round alike, and
/// therefore not in their spread.
Metric efficiency_of(const std::string& strategy, const MedianEstimate& alone, const Metric& iteration) {
  MedianEstimate value{.median = alone.median / iteration.value.median,
                       .interval = std::nullopt,
                       .samples = std::min(alone.samples, iteration.value.samples)};
  if (alone.interval && iteration.value.interval && alone.median > 0)
    value.interval = interval_of(quotient(log_estimate(alone), log_estimate(iteration.value)));
  std::vector<double> by_round;
  for (const double time : iteration.by_round) by_round.push_back(alone.median / time);
  return make_metric("efficiency/" + strategy, value, std::move(by_round));
}

void add_strategy(std::vector<Metric>& metrics, const StrategyResult& result, const std::string& name,
                  const std::optional<MedianEstimate>& alone) {
  const auto of_component = [&](const std::string& family, Seconds Sample::*component) {
    return make_metric(family + "/" + name, round_times(result.samples, component));
  };
  const Metric iteration = of_component("iteration", &Sample::iteration);
  if (!result.failure.empty() || iteration.by_round.empty()) return;
  Metric exposed = of_component("exposed", &Sample::exposed);
  exposed.beside = std::max(0.0, iteration.value.median - exposed.value.median);
  metrics.push_back(iteration);
  metrics.push_back(of_component("forward", &Sample::forward));
  metrics.push_back(of_component("backward", &Sample::backward));
  metrics.push_back(std::move(exposed));
  if (alone) metrics.push_back(efficiency_of(name, *alone, iteration));
}

MedianEstimate estimate_of(const CalibrationPoint& point) {
  return {.median = point.seconds, .interval = point.interval, .samples = point.samples};
}

/// Of the largest message. The interval's ends change places.
MedianEstimate bus_bandwidth_of(int ranks, const CalibrationPoint& point) {
  MedianEstimate value{
      .median = bus_bandwidth(ranks, point.bytes, point.seconds), .interval = std::nullopt, .samples = point.samples};
  if (point.interval && point.interval->low > 0)
    value.interval = Interval{bus_bandwidth(ranks, point.bytes, point.interval->high),
                              bus_bandwidth(ranks, point.bytes, point.interval->low)};
  return value;
}

}  // namespace

const std::vector<MetricFamily>& metric_families() {
  static const std::vector<MetricFamily> families{
      {"iteration", Members::strategies, Quantity::seconds, Better::lower},
      {"forward", Members::strategies, Quantity::seconds, Better::lower},
      {"backward", Members::strategies, Quantity::seconds, Better::lower},
      {"exposed", Members::strategies, Quantity::seconds, Better::lower},
      {"efficiency", Members::strategies, Quantity::ratio, Better::higher},
      {"rank_spread", Members::one, Quantity::ratio, Better::lower},
      {"latency", Members::one, Quantity::seconds, Better::lower},
      {"seconds_per_byte", Members::one, Quantity::seconds_per_byte, Better::lower},
      {"bus_bandwidth", Members::one, Quantity::bytes_per_second, Better::higher},
      {"allreduce", Members::sizes, Quantity::seconds, Better::lower},
      {"pair_latency", Members::one, Quantity::seconds, Better::lower},
      {"pair_bandwidth", Members::one, Quantity::bytes_per_second, Better::higher},
      {"pair_spread", Members::one, Quantity::ratio, Better::higher},
      {"link_share", Members::one, Quantity::ratio, Better::higher},
  };
  return families;
}

const MetricFamily& family_of(const std::string& metric) {
  const std::string name = metric.substr(0, metric.find('/'));
  std::vector<std::string> names;
  for (const MetricFamily& family : metric_families()) {
    if (family.name == name) return family;
    names.push_back(family.name);
  }
  fail(ExitCode::bad_input, "unknown metric '{}'{}", metric, suggestion(name, names));
}

std::string metric_name(const std::string& text) {
  const MetricFamily& family = family_of(text);
  const std::size_t slash = text.find('/');
  const std::string member = slash == std::string::npos ? "" : text.substr(slash + 1);
  switch (family.members) {
    case Members::one:
      require(slash == std::string::npos, "metric '{}': there is one {} only, expected nothing behind it", text,
              family.name);
      return family.name;
    case Members::strategies:
      require(!member.empty(), "metric '{}' lacks its strategy, expected {}/mg-wfbp or the like", text, family.name);
      return text;
    case Members::sizes:
      break;
  }
  require(!member.empty(), "metric '{}' lacks its size, expected {}/1MiB or the like", text, family.name);
  const Bytes bytes = parse_bytes(member, "the size of " + family.name);
  require(bytes > 0, "metric '{}': expected a size above 0", text);
  return family.name + "/" + size_name(bytes);
}

std::vector<Metric> metrics_of(const RunResult& result) {
  std::vector<Metric> metrics;
  for (const StrategyResult& strategy : result.strategies) {
    add_strategy(metrics, strategy, strategy.strategy, result.alone);
    for (const std::string& name : strategy.same) add_strategy(metrics, strategy, name, result.alone);
  }
  if (result.computation && !result.computation->slowest.empty() && result.computation->typical > 0)
    metrics.push_back(make_metric("rank_spread", MedianEstimate{.median = result.computation->slowest.front().seconds /
                                                                          result.computation->typical,
                                                                .interval = std::nullopt,
                                                                .samples = 1}));
  if (!result.calibration.curves.empty()) {
    std::vector<Metric> calibrated = metrics_of(result.calibration);
    std::move(calibrated.begin(), calibrated.end(), std::back_inserter(metrics));
  }
  return metrics;
}

std::vector<Metric> metrics_of(const Calibration& calibration) {
  const CalibrationCurve& curve = calibration.planning_curve();
  const LineFit& fit = curve.fit;
  const std::size_t points = curve.points.size();
  std::vector<Metric> metrics{
      make_metric("latency", MedianEstimate{.median = fit.line.a, .interval = fit.a_interval, .samples = points}),
      make_metric("seconds_per_byte",
                  MedianEstimate{.median = fit.line.b, .interval = fit.b_interval, .samples = points})};
  // One rank sends nothing.
  if (calibration.ranks > 1)
    metrics.push_back(make_metric("bus_bandwidth", bus_bandwidth_of(calibration.ranks, curve.points.back())));
  for (const CalibrationPoint& point : curve.points)
    metrics.push_back(make_metric("allreduce/" + size_name(point.bytes), estimate_of(point)));
  return metrics;
}

std::vector<Metric> metrics_of(const PairMatrix& pairs) {
  std::vector<Metric> metrics;
  const auto add = [&](const char* name, double value) {
    metrics.push_back(make_metric(name, MedianEstimate{.median = value, .interval = std::nullopt, .samples = 1}));
  };
  const std::vector<double> latencies = pair_values(pairs, &PairTime::latency);
  const std::vector<double> bandwidths = pair_values(pairs, &PairTime::bandwidth);
  const std::vector<double> shares = link_shares(pairs);
  const double slowest = *std::min_element(bandwidths.begin(), bandwidths.end());
  add("pair_latency", *std::max_element(latencies.begin(), latencies.end()));
  add("pair_bandwidth", slowest);
  add("pair_spread", slowest / median(bandwidths));
  if (!shares.empty()) add("link_share", *std::min_element(shares.begin(), shares.end()));
  return metrics;
}

std::string format_quantity(double value, Quantity quantity) {
  switch (quantity) {
    case Quantity::seconds: {
      const TimeScale scale(value);
      return fmt::format("{} {}", scale(value), scale.unit());
    }
    case Quantity::seconds_per_byte:
      return fmt::format("{:.3g} s/B", value);
    case Quantity::bytes_per_second:
      return fmt::format("{:.3g} GB/s", value / 1e9);
    case Quantity::ratio:
      break;
  }
  return fmt::format("{:.3f}", value);
}

}  // namespace mgbench

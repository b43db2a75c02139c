#include "report/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <utility>

#include "report/log_estimate.h"

namespace mgbench {
namespace {

bool positive(const Metric& metric, double beside) {
  return std::isfinite(metric.value.median) && metric.value.median + beside > 0;
}

/// How far the median of another run may lie from the mean of these, 95 %, by Student's t: with s the standard
/// deviation of k medians, t_{k-1} s (1 + 1/k)^(1/2).
double arm_between_runs(const std::vector<LogEstimate>& runs, double mean) {
  const auto count = static_cast<double>(runs.size());
  double squares = 0;
  for (const LogEstimate& run : runs) squares += std::pow(run.center - mean, 2);
  const double quantile = boost::math::quantile(boost::math::students_t(count - 1), 0.975);
  return quantile * std::sqrt(squares / (count - 1) * (1 + 1 / count));
}

Verdict judge(const Interval& ratio, double tolerance, Better better) {
  if (ratio.low >= 1 - tolerance && ratio.high <= 1 + tolerance) return Verdict::same;
  if (ratio.low > 1 + tolerance) return better == Better::lower ? Verdict::worse : Verdict::better;
  if (ratio.high < 1 - tolerance) return better == Better::lower ? Verdict::better : Verdict::worse;
  return Verdict::not_distinguishable;
}

/// An estimate lies on the safe side of the truth by more than its arm in 2.5 % of cases; one arm more is what the
/// interval must keep from the tolerance.
std::optional<double> least_found(const LogEstimate& ratio, double tolerance, Better better) {
  const double found = better == Better::lower ? (1 + tolerance) * std::exp(2 * ratio.below)
                                               : (1 - tolerance) * std::exp(-2 * ratio.above);
  return std::isfinite(found) && found > 0 ? std::optional(found) : std::nullopt;
}

MetricComparison compare_metric(const std::vector<const Metric*>& baselines, const Metric& current, double tolerance) {
  const double beside = baselines.back()->beside;
  std::vector<LogEstimate> runs;
  for (const Metric* baseline : baselines) runs.push_back(log_estimate(baseline->value, beside));
  const LogEstimate before = mean(runs);
  LogEstimate ratio = quotient(log_estimate(current.value, beside), before);
  const bool between = runs.size() >= kRunsForSpread;
  if (between) ratio = widened(ratio, arm_between_runs(runs, before.center));

  MetricComparison result{.name = current.name,
                          .quantity = current.quantity,
                          .better = current.better,
                          .runs = runs.size(),
                          .baseline = std::exp(before.center) - beside,
                          .current = current.value.median,
                          .ratio = std::exp(ratio.center),
                          .interval = std::nullopt,
                          .tolerance = tolerance};
  const bool within = current.value.interval && std::all_of(baselines.begin(), baselines.end(), [](const Metric* each) {
                        return each->value.interval.has_value();
                      });
  // The spread of medians holds what varies within runs too.
  if (!within && !between) return result;
  result.interval = interval_of(ratio);
  result.verdict = judge(*result.interval, tolerance, current.better);
  result.least_found = least_found(ratio, tolerance, current.better);
  return result;
}

/// Metrics of `own` that none of the others has.
std::vector<std::string> metrics_without_partner(const Measurement& own, const std::vector<Measurement>& others) {
  std::vector<std::string> names;
  for (const Metric& metric : own.metrics)
    if (std::all_of(others.begin(), others.end(),
                    [&](const Measurement& other) { return other.find(metric.name) == nullptr; }))
      names.push_back(metric.name);
  return names;
}

/// Runs know model and batch, calibrations do not, and their environments have other keys.
bool of_one_kind(const Measurement& left, const Measurement& right) {
  return left.conditions.size() == right.conditions.size();
}

}  // namespace

std::string name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::better:
      return "better";
    case Verdict::worse:
      return "worse";
    case Verdict::same:
      return "same";
    case Verdict::not_distinguishable:
      break;
  }
  return "not distinguishable";
}

std::size_t Comparison::count(Verdict verdict) const {
  return static_cast<std::size_t>(std::count_if(
      metrics.begin(), metrics.end(), [&](const MetricComparison& metric) { return metric.verdict == verdict; }));
}

ExitCode Comparison::exit_code() const {
  if (count(Verdict::worse) > 0 || !failures.empty()) return ExitCode::verdict_failed;
  const bool compared = std::any_of(metrics.begin(), metrics.end(),
                                    [](const MetricComparison& metric) { return metric.interval.has_value(); });
  return compared && unmeasured.empty() ? ExitCode::ok : ExitCode::not_measured;
}

std::vector<std::string> differing_conditions(const std::vector<Measurement>& baselines, const Measurement& current) {
  std::vector<std::string> differences;
  for (const auto& [key, value] : current.conditions)
    for (const Measurement& baseline : baselines) {
      const auto other = baseline.conditions.find(key);
      if (other == baseline.conditions.end() || other->second == value) continue;
      differences.push_back(
          fmt::format("{} {} ({}) against {} ({})", key, other->second, baseline.file, value, current.file));
      break;
    }
  return differences;
}

Comparison compare(std::vector<Measurement> baselines, const Measurement& current, const Tolerances& tolerances) {
  require(!baselines.empty(), "compare: expected a baseline");
  std::stable_sort(baselines.begin(), baselines.end(),
                   [](const Measurement& left, const Measurement& right) { return left.date < right.date; });
  const Measurement& last = baselines.back();
  Comparison comparison{.baselines = {},
                        .current = current.file,
                        .date = current.date,
                        .differences = differing_conditions(baselines, current),
                        .metrics = {},
                        .gone = metrics_without_partner(last, {current}),
                        .added = metrics_without_partner(current, baselines),
                        .failures = {},
                        .unmeasured = {},
                        .environment = {}};
  if (of_one_kind(last, current))
    comparison.environment = environment_differences({last.environment, current.environment});
  for (const Measurement& baseline : baselines) comparison.baselines.push_back(baseline.file);
  for (const Metric& metric : current.metrics) {
    std::vector<const Metric*> before;
    for (const Measurement& baseline : baselines)
      if (const Metric* found = baseline.find(metric.name); found != nullptr && positive(*found, found->beside))
        before.push_back(found);
    if (!before.empty() && positive(metric, before.back()->beside))
      comparison.metrics.push_back(compare_metric(before, metric, tolerances.of(metric.name)));
  }
  for (const auto& [strategy, reason] : current.failures)
    if (last.find("iteration/" + strategy) != nullptr) comparison.failures[strategy] = reason;
  for (const auto& [strategy, reason] : current.unmeasured)
    if (last.find("iteration/" + strategy) != nullptr) comparison.unmeasured[strategy] = reason;
  return comparison;
}

}  // namespace mgbench

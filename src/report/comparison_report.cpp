#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "report/comparison.h"
#include "report/forms.h"
#include "report/junit.h"
#include "report/markdown_text.h"
#include "report/table.h"

namespace mgbench {
namespace {

std::string interval_text(const std::optional<Interval>& interval) {
  return interval ? fmt::format("[{:.3f}, {:.3f}]", interval->low, interval->high) : "-";
}

Table table_of(const Comparison& comparison) {
  Table table({{"metric", "", Table::Align::left},
               {"baseline", ""},
               {"current", ""},
               {"ratio", ""},
               {"95 % interval", ""},
               {"finds", ""},
               {"verdict", ""}});
  for (const MetricComparison& metric : comparison.metrics)
    table.add({metric.name, format_quantity(metric.baseline, metric.quantity),
               format_quantity(metric.current, metric.quantity), fmt::format("{:.3f}", metric.ratio),
               interval_text(metric.interval), metric.least_found ? fmt::format("{:.3f}", *metric.least_found) : "-",
               name_of(metric.verdict)});
  return table;
}

std::vector<std::string> with_changes(const Comparison& comparison, Verdict verdict) {
  std::vector<std::string> names;
  for (const MetricComparison& metric : comparison.metrics)
    if (metric.verdict == verdict)
      names.push_back(fmt::format("{} ({} %)", metric.name, signed_percent(metric.ratio - 1)));
  return names;
}

std::string conclusion(const Comparison& comparison) {
  if (comparison.metrics.empty()) return "There is no metric that both sides have: nothing could be compared.";
  std::string text;
  if (comparison.count(Verdict::worse) > 0)
    text += fmt::format("Worse: {}. ", fmt::join(with_changes(comparison, Verdict::worse), ", "));
  if (comparison.count(Verdict::better) > 0)
    text += fmt::format("Better: {}. ", fmt::join(with_changes(comparison, Verdict::better), ", "));
  return text + fmt::format("Of {} metrics {} are the same, {} not distinguishable.", comparison.metrics.size(),
                            comparison.count(Verdict::same), comparison.count(Verdict::not_distinguishable));
}

std::string tolerance_text(const Comparison& comparison) {
  const auto [least, most] =
      std::minmax_element(comparison.metrics.begin(), comparison.metrics.end(),
                          [](const auto& left, const auto& right) { return left.tolerance < right.tolerance; });
  return least->tolerance == most->tolerance
             ? fmt::format("{:g} %", 100 * least->tolerance)
             : fmt::format("{:g} to {:g} %", 100 * least->tolerance, 100 * most->tolerance);
}

/// The sentences below the table.
std::vector<std::string> sentences(const Comparison& comparison) {
  std::vector<std::string> result;
  if (!comparison.differences.empty())
    result.push_back(fmt::format("Compared although they are not alike: {}.", fmt::join(comparison.differences, "; ")));
  result.push_back(conclusion(comparison));
  if (!comparison.metrics.empty())
    result.push_back(
        fmt::format("Tolerance: {}. Finds: the true ratio that would have been called worse in 97.5 % of comparisons "
                    "with these rounds and runs.",
                    tolerance_text(comparison)));
  if (std::any_of(comparison.metrics.begin(), comparison.metrics.end(),
                  [](const MetricComparison& metric) { return metric.of_this_pair_only(); }))
    result.push_back(fmt::format(
        "A figure that fewer than {} baseline runs have is judged without knowing how much runs differ from each "
        "other: such a verdict covers these runs only.",
        kRunsForSpread));
  for (const auto& [strategy, reason] : comparison.failures)
    result.push_back(fmt::format("{} had times before and failed now: {}", strategy, reason));
  for (const auto& [strategy, reason] : comparison.unmeasured)
    result.push_back(fmt::format("{} had times before and could not be measured now: {}", strategy, reason));
  if (!comparison.gone.empty())
    result.push_back(fmt::format("Not measured any more: {}.", fmt::join(comparison.gone, ", ")));
  if (!comparison.added.empty()) result.push_back(fmt::format("New: {}.", fmt::join(comparison.added, ", ")));
  return result;
}

std::vector<std::string> environment_lines(const Comparison& comparison) {
  std::vector<std::string> lines;
  for (const EnvironmentDifference& difference : comparison.environment) {
    const std::optional<std::string>& before = difference.values[0];
    const std::optional<std::string>& after = difference.values[1];
    if (!before)
      lines.push_back(fmt::format("{} (added): {}", difference.key, *after));
    else if (!after)
      lines.push_back(fmt::format("{} (gone): {}", difference.key, *before));
    else
      lines.push_back(fmt::format("{}: {} -> {}", difference.key, *before, *after));
  }
  return lines;
}

std::string heading(const Comparison& comparison) {
  return fmt::format("{} against {}", comparison.current, fmt::join(comparison.baselines, ", "));
}

std::string environment_heading(const Comparison& comparison) {
  return fmt::format("What else changed since {}:", comparison.baselines.back());
}

TestCase test_case(const MetricComparison& metric) {
  TestCase test{.name = metric.name};
  test.message =
      fmt::format("{} to {}, ratio {:.3f}, 95 % interval {}: {}; tolerance {:g} %",
                  format_quantity(metric.baseline, metric.quantity), format_quantity(metric.current, metric.quantity),
                  metric.ratio, interval_text(metric.interval), name_of(metric.verdict), 100 * metric.tolerance);
  if (metric.verdict == Verdict::worse) test.outcome = TestCase::Outcome::failed;
  if (metric.verdict == Verdict::not_distinguishable) test.outcome = TestCase::Outcome::skipped;
  return test;
}

Json number_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json form_of(const MetricComparison& metric) {
  return {{"metric", metric.name},
          {"baseline_runs", metric.runs},
          {"baseline", metric.baseline},
          {"current", metric.current},
          {"better", metric.better == Better::lower ? "lower" : "higher"},
          {"ratio", metric.ratio},
          {"ratio_interval",
           metric.interval ? Json::array({number_or_null(metric.interval->low), number_or_null(metric.interval->high)})
                           : Json()},
          {"holds_variation_between_runs", !metric.of_this_pair_only()},
          {"tolerance", metric.tolerance},
          {"verdict", name_of(metric.verdict)},
          {"least_ratio_found", metric.least_found ? Json(*metric.least_found) : Json()}};
}

Json form_of(const std::optional<std::string>& text) {
  return text ? Json(*text) : Json();
}

}  // namespace

std::string format_comparison(const Comparison& comparison, std::size_t width) {
  std::string text = wrap(heading(comparison), width, 2) + "\n";
  if (!comparison.metrics.empty()) text += table_of(comparison).text(width) + "\n";
  for (const std::string& sentence : sentences(comparison)) text += wrap(sentence, width, 2);
  const std::vector<std::string> lines = environment_lines(comparison);
  if (!lines.empty()) text += "\n" + wrap(environment_heading(comparison), width, 2);
  for (const std::string& line : lines) text += wrap("  " + line, width, 4);
  return text;
}

std::string comparison_to_markdown(const Comparison& comparison) {
  std::string text = "**" + markdown_text(heading(comparison)) + "**\n\n";
  if (!comparison.metrics.empty()) text += table_of(comparison).markdown() + "\n";
  for (const std::string& sentence : sentences(comparison)) text += "* " + markdown_text(sentence) + "\n";
  const std::vector<std::string> lines = environment_lines(comparison);
  if (!lines.empty()) text += "\n" + markdown_text(environment_heading(comparison)) + "\n\n";
  for (const std::string& line : lines) text += "* " + markdown_text(line) + "\n";
  return text;
}

std::string comparison_to_junit(const Comparison& comparison) {
  std::vector<TestCase> cases;
  for (const MetricComparison& metric : comparison.metrics) cases.push_back(test_case(metric));
  for (const auto& [strategy, reason] : comparison.failures)
    cases.push_back({.name = "strategy/" + strategy, .outcome = TestCase::Outcome::failed, .message = reason});
  for (const auto& [strategy, reason] : comparison.unmeasured)
    cases.push_back({.name = "strategy/" + strategy, .outcome = TestCase::Outcome::error, .message = reason});
  for (const std::string& name : comparison.gone)
    cases.push_back({.name = name, .outcome = TestCase::Outcome::skipped, .message = "not measured any more"});
  return junit_xml("mgbench compare", comparison.date, cases);
}

std::string comparison_to_json(const Comparison& comparison) {
  Json metrics = Json::array();
  for (const MetricComparison& metric : comparison.metrics) metrics.push_back(form_of(metric));
  Json environment = Json::array();
  for (const EnvironmentDifference& difference : comparison.environment)
    environment.push_back(
        {{"key", difference.key}, {"before", form_of(difference.values[0])}, {"after", form_of(difference.values[1])}});
  return write_json({{"baselines", comparison.baselines},
                     {"current", comparison.current},
                     {"differing_conditions", comparison.differences},
                     {"metrics", std::move(metrics)},
                     {"gone", comparison.gone},
                     {"added", comparison.added},
                     {"failures", comparison.failures},
                     {"unmeasured", comparison.unmeasured},
                     {"environment", std::move(environment)}});
}

}  // namespace mgbench

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "report/environment_difference.h"
#include "report/measurement.h"
#include "report/table.h"
#include "report/tolerances.h"

namespace mgbench {

// Whether a measurement is worse than earlier ones (docs/regression.md).

enum class Verdict { better, worse, same, not_distinguishable };

/// "better", "worse", "same", "not distinguishable".
std::string name_of(Verdict verdict);

/// Runs from which on the variation between runs is estimated.
inline constexpr std::size_t kRunsForSpread = 3;

struct MetricComparison {
  std::string name;
  Quantity quantity = Quantity::seconds;
  Better better = Better::lower;
  std::size_t runs = 0;  ///< baselines that have it
  double baseline = 0;   ///< their geometric mean
  double current = 0;
  double ratio = 1;                  ///< current / baseline; of exposed communication in shares of the iteration
  std::optional<Interval> interval;  ///< 95 %; from kRunsForSpread runs on it holds the variation between runs
  double tolerance = 0;
  Verdict verdict = Verdict::not_distinguishable;
  /// The ratio of a true change for the worse that would have been called worse in 97.5 % of comparisons like this one;
  /// none where no change would.
  std::optional<double> least_found;

  /// The interval holds one pair's rounds only: another run may differ more.
  bool of_this_pair_only() const { return runs < kRunsForSpread; }
};

struct Comparison {
  std::vector<std::string> baselines;  ///< files, by date
  std::string current;
  std::string date;                                ///< of the current one
  std::vector<std::string> differences;            ///< of conditions, in words; empty unless the comparison was forced
  std::vector<MetricComparison> metrics;           ///< that both sides have
  std::vector<std::string> gone;                   ///< metrics of the last baseline that the current one lacks
  std::vector<std::string> added;                  ///< metrics of no baseline
  std::map<std::string, std::string> failures;     ///< strategies that failed now but had times before: why
  std::map<std::string, std::string> unmeasured;   ///< strategies without times now that had some before: why
  std::vector<EnvironmentDifference> environment;  ///< of the last baseline and the current one

  std::size_t count(Verdict verdict) const;
  /// verdict_failed if a metric is worse or a strategy failed, not_measured if a strategy could not be measured or no
  /// metric has an interval, else ok.
  ExitCode exit_code() const;
};

/// Conditions in which any two differ, in words: "ranks 2 (a.json) against 4 (b.json)". Those that one side does not
/// know are left out.
std::vector<std::string> differing_conditions(const std::vector<Measurement>& baselines, const Measurement& current);

/// In whatever order the baselines are given; there must be one.
Comparison compare(std::vector<Measurement> baselines, const Measurement& current, const Tolerances& tolerances);

/// For a terminal of `width` columns.
std::string format_comparison(const Comparison& comparison, std::size_t width = kDefaultWidth);
/// For a pull request.
std::string comparison_to_markdown(const Comparison& comparison);
/// A test case for each metric: worse is a failure; what is not distinguishable or gone is skipped.
std::string comparison_to_junit(const Comparison& comparison);
std::string comparison_to_json(const Comparison& comparison);

}  // namespace mgbench

#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/round_times.h"
#include "report/run_result.h"

namespace mgbench {

// Whether times changed for good while they were measured (docs/method.md, "Statistics").

/// Probability that `values` in random order would have a trend at least as clear, up or down: the exact two-sided test
/// of Mann (1945) and Kendall on the number of pairs in order; equal values count half. 1 for fewer than two values.
double trend_probability(const std::vector<double>& values);

/// Median of the last third of rounds / median of the first third, where trend_probability() is at most `error` and the
/// change is at least 1 %. None else.
std::optional<double> drift_of(const RoundTimes& times, double error);

/// What changed over the rounds. A ratio above 1: slower at the end.
struct Drift {
  /// Of all together: in each round the median over strategies and the schedule without communication of the time by
  /// its own median. Dropped ones are left out.
  std::optional<double> machine;
  /// Of single strategies beside that.
  std::vector<std::pair<std::string, double>> strategies;
};

/// Where nothing changes, anything is reported in at most 1 % of runs: half of that for the machine, half for
/// the strategies together (Bonferroni).
Drift find_drift(const RunResult& result);

}  // namespace mgbench

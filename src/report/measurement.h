#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "report/metrics.h"

namespace mgbench {

/// What compare and check know of one file: the result of a run, a calibration, or pairs of nodes.
struct Measurement {
  std::string file;
  std::string date;  ///< ISO 8601, UTC; empty: not told
  /// What must be equal for figures to be comparable: interconnect (real or emulated) and ranks, and of a run model,
  /// backend, batch and threads too.
  std::map<std::string, std::string> conditions;
  Environment environment;                             ///< and the communicator
  std::vector<Metric> metrics;                         ///< in order of the report
  std::map<std::string, std::string> failures;         ///< of strategies that failed their checks: why
  std::map<std::string, std::string> unmeasured = {};  ///< strategies with too few rounds for an interval: why

  /// Null where it was not measured.
  const Metric* find(const std::string& metric) const;
  /// Why the strategy that a metric is of has no times, or too few of them; none: it has, or the metric is of none.
  std::optional<std::string> reason_without_times(const std::string& metric) const;
};

Measurement measurement_of(const RunResult& result, const std::string& file);
Measurement measurement_of(const Calibration& calibration, const std::string& file);
Measurement measurement_of(const PairMatrix& pairs, const std::string& file);

/// The text of a saved result or of saved pairs, or of a saved calibration where the file's name ends in .yaml or .yml.
/// Throws Error with `file` for anything that is none of them, and for the result of a run that did not come to its
/// end: no figure of it stands for the system.
Measurement measurement_from_text(const std::string& text, const std::string& file);

}  // namespace mgbench

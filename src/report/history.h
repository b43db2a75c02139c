#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "report/measurement.h"
#include "report/table.h"

namespace mgbench {

// When the iteration times of many runs changed (docs/regression.md).

/// Fewer runs cannot tell a change from chance.
inline constexpr std::size_t kLeastHistory = 4;

struct Change {
  enum class Kind { step, trend };
  Kind kind = Kind::step;
  std::size_t at = 0;  ///< of a step: the first value after it; of a trend: 0
  double ratio = 1;    ///< of a step: after by before; of a trend: the line's end by its begin
};

/// What changed in positive values in order of time: a single step, or a steady trend, whichever leaves the smaller
/// Bayesian information criterion. Where values vary about a constant normally and independently, anything is reported
/// with a probability of at most `error`; less than 1 % never is.
std::optional<Change> find_change(const std::vector<double>& values, double error);

struct MetricHistory {
  std::string name;
  std::vector<const Measurement*> runs;  ///< that have it, by date
  std::vector<Seconds> seconds;          ///< of each
  std::optional<Change> change;
};

/// Runs under equal conditions, by date, and the iterations of their strategies.
struct History {
  std::vector<const Measurement*> runs;
  std::vector<MetricHistory> metrics;
};

/// One for each set of conditions, those with most runs first; refers to `measurements`. Where nothing changes, a
/// history reports anything with a probability of at most 1 % (Bonferroni over its metrics).
std::vector<History> histories(const std::vector<Measurement>& measurements);

std::string format_histories(const std::vector<History>& histories, std::size_t width = kDefaultWidth);
std::string histories_to_markdown(const std::vector<History>& histories);
std::string histories_to_json(const std::vector<History>& histories);

}  // namespace mgbench

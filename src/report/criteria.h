#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "report/measurement.h"
#include "report/table.h"

namespace mgbench {

// Acceptance: figures against bounds that a site has named (docs/regression.md).

struct Criterion {
  enum class Side { at_most, at_least };
  std::string name;
  std::string metric;  ///< as metric_name() has it
  Side side = Side::at_most;
  double bound = 0;                               ///< in `unit`
  std::string unit;                               ///< s, ms, us, s/B, GB/s, % or ratio
  double scale = 1;                               ///< one `unit` in what the metric counts
  std::map<std::string, std::string> conditions;  ///< of measurements that it is for: model, ranks, ...
  bool required = true;                           ///< else advisory: shown, never decides
  std::string source;                             ///< of the bound; empty: not told
};

/// A list `criteria` of mappings with name, metric, at_most or at_least, and unit; optional are strategy (put behind
/// the metric), model, backend, batch, ranks, threads, required, source, and `of`: of a bandwidth in % or as a ratio,
/// what it is a share of, in GB/s. Throws Error with `file`:line for anything malformed, missing or unknown, naming the
/// nearest metric, and for two criteria of one name.
std::vector<Criterion> criteria_from_yaml(const std::string& text, const std::string& file);

enum class Acceptance { pass, fail, not_measured };

/// A criterion against one measurement, or against none where nothing measured it.
struct Checked {
  Criterion criterion;
  Acceptance acceptance = Acceptance::not_measured;
  std::string file;                  ///< of the measurement
  std::string date;                  ///< of the measurement
  std::string interconnect;          ///< of the measurement: the real one, or which one was emulated
  double value = 0;                  ///< in the criterion's unit
  std::optional<Interval> interval;  ///< 95 %, in the criterion's unit
  std::string reason;                ///< why it was not measured

  /// The bound lies inside the interval: another run may end on its other side.
  bool uncertain() const;
};

/// What was to be measured and could not, as a required criterion of as many rounds as an interval takes.
Checked unmeasured_part(const std::string& what, const std::string& reason);

/// Every criterion against each measurement that it is for and that has its metric: the median decides, unless it is
/// of fewer rounds than an interval takes.
std::vector<Checked> check_criteria(const std::vector<Criterion>& criteria,
                                    const std::vector<Measurement>& measurements);

/// verdict_failed if a required one failed, else not_measured if a required one was not measured or none at all was,
/// else ok.
ExitCode exit_code(const std::vector<Checked>& checked);

/// Criteria as YAML that the measurement itself meets: iteration, efficiency, rank spread, latency and bus bandwidth,
/// with a margin of three times the robust standard deviation of its rounds (of what was not measured in rounds, of
/// half of its interval), at least 5 %. Strategies with too few rounds are left out. Throws Error where it has none of
/// them.
std::string criteria_template(const Measurement& measurement);

/// For a terminal of `width` columns.
std::string format_checked(const std::vector<Checked>& checked, std::size_t width = kDefaultWidth);
/// For a pull request.
std::string checked_to_markdown(const std::vector<Checked>& checked);
/// A test case for each: a required one that failed is a failure, one that was not measured an error; advisory ones
/// that did not pass are skipped.
std::string checked_to_junit(const std::vector<Checked>& checked);
std::string checked_to_json(const std::vector<Checked>& checked);

}  // namespace mgbench

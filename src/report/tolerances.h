#pragma once

#include <map>
#include <string>

namespace mgbench {

/// By how much a figure may change, as a share of it.
struct Tolerances {
  double standard = 0.05;                   ///< of what is not named
  std::map<std::string, double> by_metric;  ///< by a metric's name, or by a family's for all its metrics

  double of(const std::string& metric) const;
};

/// A mapping from names to shares between 0 and 1; `default` is the one of all others. Throws Error with `file`:line,
/// for an unknown metric with the nearest name.
Tolerances tolerances_from_yaml(const std::string& text, const std::string& file);

/// Throws Error naming `what` unless 0 < share < 1.
void require_tolerance(double share, const std::string& what);

}  // namespace mgbench

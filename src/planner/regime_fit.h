#pragma once

#include <string>

#include "planner/cost_model.h"
#include "planner/line_fit.h"

namespace mgbench {

/// A piecewise line through measured points: libraries change protocol and algorithm with size, and within such a
/// regime a line holds where one line for all sizes does not.
struct RegimeFit {
  Regimes regimes;               ///< one: no break is worth its parameters
  bool stepped = false;          ///< neighbours do not meet: the time jumps at a break
  double largest_residual = 0;   ///< relative, over the fitted points
  double held_out_residual = 0;  ///< largest relative residual at inner points, each left out in turn, the breaks kept
};

/// Least squares of relative residuals with slopes that are not negative and times that never fall. How many breaks,
/// which (always at a measured size), and whether the regimes meet there is what has the least Bayesian information
/// criterion
///   n ln(sum of squares / n) + p ln n,
/// with p counting every free figure, and every break as three (Schwarz 1978; Hall, Osborn, Sakkas 2013). Throws Error
/// as fit_line() does.
RegimeFit fit_regimes(const Curve& points);

/// What planning goes by: the line if its largest residual at held-out sizes is under 10 %, else the regimes if theirs
/// is, else the measured curve.
struct PlanningChoice {
  CostModel::Form form = CostModel::Form::line;
  std::string reason;  ///< one sentence
};
PlanningChoice choose_planning_cost(const LineFit& line, const RegimeFit& regimes);

}  // namespace mgbench

#pragma once

#include <vector>

#include "base/units.h"
#include "planner/cost_model.h"

namespace mgbench {

struct Interval {
  double low = 0;
  double high = 0;
};

/// T(m) = a + b m by least squares of relative residuals, with a > 0 and b > 0.
struct LineFit {
  Line line;
  Interval a_interval;  ///< 95 %, Student's t with n - 2 degrees of freedom
  Interval b_interval;
  double largest_residual = 0;  ///< relative, over the fitted points
  double held_out_residual =
      0;  ///< largest relative residual at points that were left out, each point's neighbours fitted
  Bytes smallest = 0;
  Bytes largest = 0;
};

/// Throws Error with fewer than three points, or with times or sizes that are not positive and finite.
LineFit fit_line(const Curve& points);

}  // namespace mgbench

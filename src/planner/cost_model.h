#pragma once

#include <string>
#include <vector>

#include "base/units.h"

namespace mgbench {

enum class Collective { allreduce };

/// T(m) = a + b m. a > 0, b > 0.
struct Line {
  Seconds a = 0;
  double b = 0;  ///< seconds a byte
  Seconds time(Bytes bytes) const { return a + b * static_cast<double>(bytes); }
};

/// A measured cost: linear between points, constant below the first, the slope of the last two beyond the
/// last (constant if they fall: extrapolating a fall would end below zero).
struct CurvePoint {
  Bytes bytes = 0;
  Seconds seconds = 0;
};
using Curve = std::vector<CurvePoint>;  ///< bytes strictly increasing

/// What a message in flight does to computation and computation to it. Figures of one transport and one
/// binding.
struct Overlap {
  double core_share = 0;  ///< share of a message's time that is taken from the compute core: 0 (none) to 1 (all of it)
  double stretch = 1;     ///< a message takes this many times longer while computation runs; >= 1
  Seconds message_cpu = 0;  ///< compute time that each message takes, whatever its size
  bool none() const { return core_share == 0 && stretch == 1 && message_cpu == 0; }
};

/// Time of one collective on one interconnect at one number of ranks.
class CostModel {
 public:
  /// Throws Error unless a > 0 and b > 0, 0 <= core_share <= 1, stretch >= 1 and message_cpu >= 0, all of
  /// them finite.
  explicit CostModel(Line line, Overlap overlap = {});
  /// Throws Error, too, unless the curve has at least one point, increasing sizes >= 0 and positive finite
  /// times.
  explicit CostModel(Curve curve, Line line, Overlap overlap = {});

  /// `bytes` > 0.
  Seconds time(Collective collective, Bytes bytes) const;

  /// Whether time() is exactly the line.
  bool is_line() const { return curve_.empty(); }
  /// The fitted line, kept beside a curve too: the published greedy rule uses its `a`.
  const Line& line() const { return line_; }
  const Curve& curve() const { return curve_; }

  const Overlap& overlap() const { return overlap_; }
  CostModel with_overlap(Overlap overlap) const;

 private:
  Line line_;
  Curve curve_;
  Overlap overlap_;
};

}  // namespace mgbench

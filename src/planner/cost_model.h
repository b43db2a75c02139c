#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/units.h"

namespace mgbench {

enum class Collective { allreduce, reduce_scatter, all_gather };

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

/// T(m) = at + slope (m - from), from this size up to that of the next regime.
struct Regime {
  Bytes from = 0;
  Seconds at = 0;
  double slope = 0;  ///< seconds a byte
  Seconds time(Bytes bytes) const { return at + slope * static_cast<double>(bytes - from); }
};
/// The first from 0, the others from increasing sizes; the last has no end. Neighbours need not meet.
using Regimes = std::vector<Regime>;

/// The same, raised where times fall with size, be it by a rounding error or by noise.
Regimes never_falling(Regimes regimes);

/// What a message in flight does to computation and computation to it. Figures of one transport and one
/// binding.
struct Overlap {
  double core_share = 0;  ///< share of a message's time that is taken from the compute core: 0 (none) to 1 (all of it)
  double stretch = 1;     ///< a message takes this many times longer while computation runs; >= 1
  Seconds message_cpu = 0;  ///< compute time that each message takes, whatever its size
  Seconds notice = 0;       ///< while computation runs, a message is seen to have ended this much later than it has
  bool none() const { return core_share == 0 && stretch == 1 && message_cpu == 0 && notice == 0; }
};

/// Time of one collective on one interconnect at one number of ranks. Reduce-scatter and all-gather take half an
/// allreduce each (both are halves of the ring, and of halving and doubling), unless they were measured.
class CostModel {
 public:
  enum class Form { line, regimes, curve };

  /// Throws Error unless a > 0 and b > 0, 0 <= core_share <= 1, stretch >= 1, message_cpu >= 0 and notice >= 0,
  /// all of them finite.
  explicit CostModel(Line line, Overlap overlap = {});
  /// Throws Error, too, unless the curve has at least one point, increasing sizes >= 0 and positive finite
  /// times.
  explicit CostModel(const Curve& curve, Line line, Overlap overlap = {});
  /// Throws Error, too, unless there is a regime, the first from 0, sizes increase, and times are positive and never
  /// fall.
  explicit CostModel(Regimes regimes, Line line, Overlap overlap = {});

  /// `bytes` > 0.
  Seconds time(Collective collective, Bytes bytes) const;

  Form form() const { return form_; }
  bool is_line() const { return form_ == Form::line; }
  /// The fitted line, kept beside regimes and curve too: the published greedy rule uses its `a`.
  const Line& line() const { return line_; }
  /// What time() is, whatever the form.
  const Regimes& regimes() const { return regimes_; }

  const Overlap& overlap() const { return overlap_; }
  CostModel with_overlap(Overlap overlap) const;
  /// Every time `factor` > 0 times as long. Throws Error unless it is finite.
  CostModel scaled(double factor) const;
  /// The least time of an allreduce: a line's a.
  Seconds start_up() const;
  /// start_up() taken `factor` > 0 times instead of once by every allreduce. Throws Error unless it is finite.
  CostModel with_start_up_scaled(double factor) const;
  /// This collective's time in the place of an allreduce's: what planners for allreduce then plan for.
  CostModel as_allreduce(Collective collective) const;
  /// What reduce-scatter or all-gather was measured to take. Throws Error unless a > 0 and b > 0, or for an allreduce.
  CostModel with_measured(Collective collective, Line line) const;
  const std::map<Collective, Line>& measured() const { return measured_; }

  /// While two messages are in flight, a byte of each takes this many times longer (start-up does not): 1.5, as
  /// published for two allreduces at once (Shi, Chu, Li, INFOCOM 2021), unless it was measured.
  double sharing() const { return sharing_; }
  /// Throws Error unless it is finite and at least 1.
  CostModel with_sharing(double sharing) const;

 private:
  CostModel(Form form, Regimes regimes, Line line, Overlap overlap);

  Form form_ = Form::line;
  Line line_;
  Regimes regimes_;
  Overlap overlap_;
  double sharing_ = 1.5;
  std::map<Collective, Line> measured_;  // beside the allreduce
};

}  // namespace mgbench

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/named_result.h"

namespace mgbench {

struct ScalingPoint {
  int ranks = 0;
  Seconds iteration = 0;
  std::optional<Interval> interval;  ///< 95 %; of a simulated one with the cost at either end of its own
};

struct ScalingCurve {
  std::string strategy;
  std::vector<ScalingPoint> measured;   ///< by ranks; of one number of ranks as many as there are results
  std::vector<ScalingPoint> simulated;  ///< 2, 4, ..., 4096 ranks; none without a calibration
};

/// How iterations grow with the number of ranks, in results that differ by it alone.
struct Scaling {
  std::string title;  ///< what they have in common
  std::string basis;  ///< where the cost at the most ranks comes from; empty: nothing is simulated
  std::vector<ScalingCurve> curves;
};

/// One for each model, backend, batch and threads a rank, in order of the results. Simulated by the calibrations of
/// these results (ClusterCost) and the profile of the one with most ranks, for strategies that they ran. Results on an
/// emulated interconnect are left out: its ranks are not those that computed.
std::vector<Scaling> scalings(const std::vector<NamedResult>& results);

}  // namespace mgbench

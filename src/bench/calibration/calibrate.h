#pragma once

#include <cstdint>
#include <string>

#include "bench/calibration/timed_allreduce.h"
#include "bench/mpi/process_group.h"
#include "bench/terminal/progress.h"
#include "report/calibration.h"

namespace mgbench {

struct CurveRequest {
  std::string name;  ///< "library" or "engine"
  std::string communicator;
  GradientArena arena;  ///< sizes are the powers of two from 4 B, and all of it
  Seconds budget = 0;   ///< the shortest of all ranks' counts: clocks and begins differ
  std::uint64_t seed = 1;
  bool moves_data = true;  ///< sums are checked
};

struct MeasuredCurve {
  CalibrationCurve curve;
  Bytes left_out_above = 0;  ///< 0: no size was too long for the budget
};

/// Passes over all sizes in random order until each median is certain to 2 %, or 50 samples or more show that 200 would
/// not make it so, or the budget is spent. Seconds are of the slowest rank. Throws Error(not_measured) when a sum is
/// wrong. Collective.
MeasuredCurve measure_curve(ProcessGroup& group, TimedAllreduce& allreduce, const CurveRequest& request,
                            Progress& progress);

}  // namespace mgbench

#pragma once

#include <string>
#include <vector>

#include "bench/calibration/calibration_job.h"

namespace mgbench {

/// A calibration of some of the ranks.
struct SubgroupCalibration {
  std::string layout;
  Calibration calibration;  ///< complete on rank 0
};

/// calibrate() within each of subgroups(), while the other ranks sleep: what laws by number of ranks are fitted to, and
/// what tells a node from the network between nodes. `host` is this rank's. Collective over all ranks.
std::vector<SubgroupCalibration> calibrate_subgroups(const RunConfig& config, ProcessGroup& group,
                                                     const std::string& host, const GradientArena& arena,
                                                     Seconds budget, Progress& progress);

}  // namespace mgbench

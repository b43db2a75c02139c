#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "bench/calibration/calibrate_subgroups.h"
#include "bench/command.h"
#include "report/communicator_choice.h"

namespace mgbench {

/// What an allreduce costs here: of all ranks, and where it is asked for of some of them. Complete on rank 0.
struct WholeCalibration {
  Calibration all;
  std::vector<SubgroupCalibration> parts;    ///< of --by-ranks
  std::optional<CommunicatorChoice> choice;  ///< where the communicator was left open
};

/// Bytes of the largest model's gradients, up to which is calibrated where no model is named.
Bytes largest_gradients();

/// Within `budget`: chooses the communicator where it is left open, measures all ranks, and with --by-ranks some of
/// them. Collective.
WholeCalibration measure_whole_calibration(const RunConfig& config, Session& session, const Placement& placement,
                                           Seconds budget, Progress& progress);

/// Writes each calibration to a new file in `folder` and returns their paths, that of all ranks last.
std::vector<std::filesystem::path> save(const WholeCalibration& whole, const std::filesystem::path& folder);

}  // namespace mgbench

#pragma once

#include <map>
#include <memory>
#include <optional>

#include "bench/communicator.h"
#include "bench/host/placement.h"
#include "bench/run_config.h"
#include "bench/terminal/progress.h"
#include "report/calibration.h"

namespace mgbench {

/// The cost to emulate, read from --interconnect; none when the interconnect is the real one.
std::optional<CostModel> emulated_cost(const RunConfig& config);
/// "10GbE as 64 ranks"; empty when the interconnect is the real one.
std::string emulation_name(const RunConfig& config);

/// The data plane that the command asks for: --communicator, or `emulated` where an interconnect is emulated.
/// `cost` outlives it. For gradients in `arena`; throws Error(bad_input) when it does not carry
/// such, or cannot be used here.
std::unique_ptr<Communicator> make_communicator(const RunConfig& config, ProcessGroup& group,
                                                const std::optional<CostModel>& cost, bool move_data,
                                                const GradientArena& arena);

/// What the chosen communicator's library says of how it sums gradients of `arena`, for the environment; on rank 0.
/// Collective.
std::map<std::string, std::string> communicator_facts(const RunConfig& config, ProcessGroup& group,
                                                      const GradientArena& arena, Progress& progress);

/// What a communicator is calibrated with where there is no network: in the memory of a GPU, one a rank, if it takes no
/// other; `placement` is told which. Collective.
GradientArena arena_without_network(const RunConfig& config, ProcessGroup& group, Bytes bytes, Placement& placement);

struct CalibrationBudget {
  Seconds seconds = 0;
  double library = 0.5;  ///< share for `library`, which nothing is planned with; `engine` gets what is left of it, too
};

/// Both curves up to all of `arena` (only `engine` of an emulated interconnect), within `budget`. Collective.
Calibration calibrate(const RunConfig& config, ProcessGroup& group, Communicator& communicator,
                      const GradientArena& arena, const CalibrationBudget& budget, Progress& progress);

}  // namespace mgbench

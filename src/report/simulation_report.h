#pragma once

#include <string>
#include <vector>

#include "planner/simulation.h"
#include "report/table.h"

namespace mgbench {

/// What `mgbench simulate` says: tables of iteration, efficiency, exposed communication and MG-WFBP's speed-up by
/// ranks and strategy, ranges where a cost is extrapolated, where efficiency falls under 90, 70 and 50 %, where
/// strategies cross, and what the costs rest on. `source` names the interconnect.
std::string format_simulation(const Profile& profile, const std::string& source,
                              const std::vector<SimulatedSize>& sizes, std::size_t width = kDefaultWidth);

/// One object a size and strategy.
std::string simulation_to_json(const Profile& profile, const std::string& source,
                               const std::vector<SimulatedSize>& sizes);

}  // namespace mgbench

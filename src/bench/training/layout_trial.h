#pragma once

#include <functional>
#include <memory>
#include <string>

#include "bench/mpi/process_group.h"
#include "bench/training/layout_choice.h"

namespace mgbench {

using MakeNetwork = std::function<std::unique_ptr<Network>(Layout)>;

/// Some iterations without messages in each layout, in a network of its own: one after the other, since a device may
/// have no room for both. The slowest rank's times count; all ranks choose the same. A layout that a rank cannot
/// compute in is not taken; what goes wrong channels first is thrown. Once a process for each `workload`, whose name
/// holds all that networks may differ by. Collective.
LayoutChoice try_layouts(ProcessGroup& group, const std::string& workload, const MakeNetwork& make);

}  // namespace mgbench

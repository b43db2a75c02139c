#pragma once

#include <string_view>

#include "base/units.h"

namespace mgbench {

/// Before a rank ends the job: leaves a process behind that kills the launcher which started this one, where it is an
/// mpirun and has not ended after `grace`. Open MPI's waits for daemons that it cannot reach any more until TCP gives
/// up, which takes a quarter of an hour. Does nothing under other launchers.
void kill_launcher_after(Seconds grace);

/// Whether a process of that name ("mpirun.openmpi") is such a launcher.
bool is_mpirun(std::string_view name);

}  // namespace mgbench

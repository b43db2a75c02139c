#pragma once

#include <string>
#include <vector>

namespace mgbench {

/// Runs a launcher to its end, in a process group of its own, without input. What asks this process to end (SIGINT,
/// SIGTERM, SIGHUP, SIGUSR1) goes to the ranks as SIGUSR1, which launchers pass on: mpirun itself, told to end, would
/// kill them. A second one, a second later or more, ends the launcher. Returns the exit code of mgbench that it ended
/// with; 3 where it ended in another way, which is said on standard error. Throws Error where it cannot be started.
int run_launcher(const std::vector<std::string>& command);

}  // namespace mgbench

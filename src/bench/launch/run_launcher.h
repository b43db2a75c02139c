#pragma once

#include <functional>
#include <string>
#include <vector>

namespace mgbench {

/// Runs a launcher to its end, in a process group of its own, without input. What asks this process to end (SIGINT,
/// SIGTERM, SIGHUP, SIGUSR1) goes to the ranks as SIGUSR1, which launchers pass on: mpirun itself, told to end, would
/// kill them. A second one, a second later or more, ends the launcher. Returns the exit code of mgbench that it ended
/// with; 3 where it ended in another way, which is said on standard error. Throws Error where it cannot be started.
///
/// Launchers end with 1 where they start nothing, too: `why_no_ranks` is asked then, and wherever no end is the ranks'.
/// What it says makes the code 3.
int run_launcher(const std::vector<std::string>& command, const std::function<std::string()>& why_no_ranks);

}  // namespace mgbench

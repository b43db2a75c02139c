#pragma once

namespace mgbench {

/// The whole program: parses, checks, starts ranks if need be, runs the command. Returns the exit code;
/// prints every error itself, once, and ends the job on all ranks when one fails.
int run_command_line(int argc, char** argv);

}  // namespace mgbench

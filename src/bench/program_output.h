#pragma once

#include <string>
#include <vector>

namespace mgbench {

/// What a program prints on both streams, up to 64 KiB; empty where it cannot be started. Without a shell.
std::string program_output(std::vector<std::string> command);

}  // namespace mgbench

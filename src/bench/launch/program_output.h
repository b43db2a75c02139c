#pragma once

#include <string>
#include <vector>

#include "base/units.h"

namespace mgbench {

/// What a program prints on both streams, up to 64 KiB; empty where it cannot be started. Without a shell. One that has
/// not ended after `patience` is killed: the rest of what it says is not waited for.
std::string program_output(std::vector<std::string> command, Seconds patience = 10);

}  // namespace mgbench

#pragma once

#include <string>

namespace stand_in {

/// A line as NCCL_DEBUG=INFO has it, where NCCL_DEBUG_SUBSYS lists `subsystem`, in NCCL_DEBUG_FILE or on standard
/// output. As with the library, the variables are read once a process, when there is something to say for the first
/// time.
void info(const std::string& subsystem, const std::string& text);

}  // namespace stand_in

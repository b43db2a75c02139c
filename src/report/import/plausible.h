#pragma once

#include <string>

#include "report/import/log_format.h"

namespace mgbench {

/// Throws Error with `file`:line for a time that no allreduce between processes takes, as when microseconds are read
/// as seconds: under 20 ns, faster than 10 TB/s, or slower than half a second and 100 kB/s.
void require_plausible(const LogRow& row, const std::string& file);

}  // namespace mgbench

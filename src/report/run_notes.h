#pragma once

#include <string>
#include <vector>

#include "report/run_result.h"

namespace mgbench {

/// What a reader must know about the circumstances, a sentence each: slow ranks, a machine that was busy or
/// changed while it was measured, the run's own remarks.
std::vector<std::string> run_notes(const RunResult& result);

}  // namespace mgbench

#pragma once

#include <string>
#include <vector>

#include "report/run_result.h"

namespace mgbench {

/// What a reader must know about the circumstances, a sentence each: slow ranks, a machine that was busy or
/// changed while it was measured, the run's own remarks.
std::vector<std::string> run_notes(const RunResult& result);

/// "Time: building 1.2 s, calibrating 6 s, measuring 78 s."; empty where the result does not say.
std::string stage_sentence(const RunResult& result);

}  // namespace mgbench

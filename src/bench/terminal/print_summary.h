#pragma once

#include "report/run_result.h"

namespace mgbench {

/// The summary of a run on standard output, and on a terminal a plot of its iterations.
void print_summary(const RunResult& result);

}  // namespace mgbench

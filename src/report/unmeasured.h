#pragma once

#include <map>
#include <string>

#include "report/calibration.h"
#include "report/run_result.h"

namespace mgbench {

/// Strategies and plans with fewer rounds than an interval takes (kLeastSamples), and why. Neither those that failed
/// nor those that a race dropped: there the outcome is known.
std::map<std::string, std::string> unmeasured_strategies(const RunResult& result);

/// "wfbp: all 20 samples were rejected ...; ddp: ..."; empty: none.
std::string format_unmeasured(const RunResult& result);

/// Why the curve that plans are made with cannot be relied on: too few of its sizes have an interval to fit a line to
/// them, or not all where a signal ended it. Empty: it can.
std::string unmeasured_sizes(const Calibration& calibration);

}  // namespace mgbench

#pragma once

#include <string>
#include <vector>

#include "planner/profile.h"
#include "report/calibration.h"
#include "report/plan_file.h"
#include "report/run_result.h"

namespace mgbench {

/// Four steps, six tensors.
Profile example_profile();

/// Of example_profile(), in two groups.
PlanFile example_plan();

/// Two curves over `ranks` ranks; the points lie on the line exactly.
Calibration example_calibration(int ranks = 8);

/// `samples` samples with iterations around `iteration` seconds, at (round, position) = (i / 4, i % 4), noise
/// of 1 % that depends on the sample alone.
std::vector<Sample> example_samples(std::size_t samples, Seconds iteration);

/// An emulated run of seven strategies with realistic times, 30 samples each.
RunResult example_run(std::size_t samples = 30);

StrategyResult& strategy(RunResult& result, const std::string& name);

}  // namespace mgbench

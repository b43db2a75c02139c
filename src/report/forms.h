#pragma once

#include "planner/profile.h"
#include "report/calibration.h"
#include "report/document.h"
#include "report/json.h"
#include "report/machine_load.h"
#include "report/rank_times.h"
#include "report/statistics.h"

namespace mgbench {

struct PairMatrix;
struct RunResult;

// The saved forms of value types that stand in more than one file. One reader serves YAML and JSON: their
// keys are equal.

Json json_form(const Interval& interval);  ///< [low, high]
Interval read_interval(const Value& value);

/// {median_seconds, interval_seconds, samples}; the interval is null under six samples.
Json json_form(const MedianEstimate& seconds);
MedianEstimate read_seconds_estimate(const Value& value);

Json json_form(const Profile& profile);
Profile read_profile(const Value& value);

/// With the fitted lines under `fit`, for other programs; read_calibration fits again, so that no file can
/// hold a line that is not that of its points.
Json json_form(const Calibration& calibration);
Calibration read_calibration(const Value& value);

Json json_form(const RankTimes& times);
RankTimes read_rank_times(const Value& value);

Json json_form(const MachineLoad& load);
MachineLoad read_machine_load(const Value& value);

RunResult read_run_result(const Value& value);

PairMatrix read_pairs(const Value& value);

struct Drift;
/// For other programs; it follows from the samples and is not read back.
Json json_form(const Drift& drift);

/// The rows of the side-by-side table, for other programs; they are not read back.
Json summary_form(const RunResult& result);

}  // namespace mgbench

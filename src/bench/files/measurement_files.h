#pragma once

#include <string>
#include <vector>

#include "report/criteria.h"
#include "report/measurement.h"

namespace mgbench {

/// Throws Error for a file that is neither a result nor a calibration.
Measurement read_measurement(const std::string& file);
std::vector<Measurement> read_measurements(const std::vector<std::string>& files);

/// The results (*.json) that a folder itself holds, by name. Says on standard error which of its files are none. Throws
/// Error when there is no result.
std::vector<Measurement> read_results_of_folder(const std::string& folder);

/// Of a file, or of a name of configs/acceptance. Throws Error for what is neither.
std::vector<Criterion> read_criteria(const std::string& criteria);

}  // namespace mgbench

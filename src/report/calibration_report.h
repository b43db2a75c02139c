#pragma once

#include <string>

#include "report/calibration.h"
#include "report/table.h"

namespace mgbench {

/// What `mgbench calibrate` says: for each curve its points with bandwidths and the residuals of the line,
/// the line with intervals, and whether plans use the line or the curve, and why.
std::string format_calibration(const Calibration& calibration, std::size_t width = kDefaultWidth);

std::string calibration_to_json(const Calibration& calibration);

}  // namespace mgbench

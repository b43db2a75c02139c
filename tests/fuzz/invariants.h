#pragma once

#include <stdexcept>
#include <string>

#include "planner/device_figures.h"
#include "planner/profile.h"
#include "report/calibration.h"
#include "report/interconnect.h"
#include "report/measurement.h"
#include "report/named_result.h"

namespace mgbench {

inline void expect(bool condition, const std::string& what) {
  if (!condition) throw std::logic_error(what);
}

/// Of a text for a terminal: lines that hold nothing that it obeys. Throws std::logic_error.
void check_for_terminal(std::string text);

// What holds of every value that a reader has accepted. Throw std::logic_error.
void check_invariants(const Calibration& calibration);
void check_invariants(const Profile& profile);
void check_invariants(const Interconnect& interconnect);
void check_invariants(const DeviceFigures& device);
void check_invariants(const RunResult& result);
/// All that `mgbench report` makes of it.
void check_invariants(const NamedResult& named);
/// All that `mgbench compare` and `mgbench check` make of it.
void check_invariants(const Measurement& measurement);

}  // namespace mgbench

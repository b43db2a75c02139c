#pragma once

#include "planner/profile.h"
#include "report/calibration.h"
#include "report/plan_file.h"
#include "report/run_result.h"

namespace mgbench {

// Exact equality of every field, for round trips. Structured bindings name all fields: a new one does not
// compile here until it is compared.
bool equal(const Profile& left, const Profile& right);
bool equal(const Calibration& left, const Calibration& right);
bool equal(const PlanFile& left, const PlanFile& right);
bool equal(const RunResult& left, const RunResult& right);

}  // namespace mgbench

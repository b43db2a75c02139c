#pragma once

#include <cstddef>

#include "planner/cost_model.h"
#include "planner/profile.h"

namespace mgbench {

/// What the exact plan gains if tensors may be split between messages.
struct SplitPlan {
  Bytes part = 0;  ///< tensors above this are cut into parts of it; 0: splitting gains less than 0.1 %
  std::size_t messages = 0;
  Seconds iteration = 0;        ///< predicted
  Seconds whole_iteration = 0;  ///< of the exact plan of whole tensors
};

/// Halves the largest part until that no longer helps; the coarsest parts within 0.1 % of the best.
SplitPlan best_split(const Profile& profile, const CostModel& cost);

}  // namespace mgbench

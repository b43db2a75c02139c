#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/cost_model.h"
#include "planner/merge_plan.h"
#include "planner/profile.h"
#include "planner/split_plan.h"
#include "planner/timeline.h"
#include "report/table.h"

namespace mgbench {

/// One strategy's plan and what it is predicted to do.
struct PlannedStrategy {
  std::string strategy;
  MergePlan plan;
  Timeline timeline;
};

/// "T(m) = 2.35 ms + m * 0.964 ns/B", or what curve it is, and how messages and computation disturb each other.
std::string describe(const CostModel& cost);

/// What `mgbench plan` says, in the order given: messages, predicted iteration and exposed communication,
/// then the sizes of the messages in the order in which they are sent.
std::string format_plans(const Profile& profile, const CostModel& cost, const std::vector<PlannedStrategy>& plans,
                         const std::optional<SplitPlan>& split = {}, std::size_t width = kDefaultWidth);

/// The same with every group's tensors by name.
std::string plans_to_json(const Profile& profile, const CostModel& cost, const std::vector<PlannedStrategy>& plans,
                          const std::optional<SplitPlan>& split = {});

}  // namespace mgbench

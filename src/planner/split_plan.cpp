#include "planner/split_plan.h"

#include <algorithm>
#include <vector>

#include "planner/exact_plan.h"
#include "planner/message_units.h"
#include "planner/timeline.h"

namespace mgbench {
namespace {

constexpr Bytes kSmallestPart = Bytes{64} << 10;
constexpr std::size_t kMostTensors = 4000;
constexpr double kWorthwhile = 1e-3;

SplitPlan split_into(const Profile& profile, const CostModel& cost, Bytes part) {
  const Profile split = split_tensors(profile, part);
  const MergePlan plan = exact_plan(split, cost);
  return {
      .part = part, .messages = plan.groups(), .iteration = predict(split, make_schedule(split, plan), cost).iteration};
}

}  // namespace

SplitPlan best_split(const Profile& profile, const CostModel& cost) {
  Bytes largest = 0;
  for (const ReadyTensor& tensor : ready_tensors(profile)) largest = std::max(largest, tensor.bytes);

  std::vector<SplitPlan> plans{split_into(profile, cost, largest)};
  plans.front().part = 0;
  for (Bytes part = largest / 2; part >= kSmallestPart; part /= 2) {
    if (ready_tensors(split_tensors(profile, part)).size() > kMostTensors) break;
    plans.push_back(split_into(profile, cost, part));
  }
  Seconds least = plans.front().iteration;
  for (const SplitPlan& plan : plans) least = std::min(least, plan.iteration);
  SplitPlan best = *std::find_if(plans.begin(), plans.end(),
                                 [&](const SplitPlan& plan) { return plan.iteration <= least * (1 + kWorthwhile); });
  best.whole_iteration = plans.front().iteration;
  return best;
}

}  // namespace mgbench

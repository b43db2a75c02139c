#pragma once

#include <cstddef>

#include "base/units.h"
#include "planner/cost_model.h"
#include "planner/merge_plan.h"
#include "planner/profile.h"
#include "planner/tool_rules.h"

namespace mgbench {

struct PredictedPlan {
  MergePlan plan;
  Seconds iteration = 0;  ///< as predict() says
};

/// exact_plan() with its prediction.
PredictedPlan optimum(const Profile& profile, const CostModel& cost);

/// The best that a tool can be told by its one limit on the size of messages.
struct ToolSetting {
  PredictedPlan best;
  Bytes limit = 0;  ///< the default, else the smallest that the tool can be told and that makes `best`
  Bytes most = LimitedPlan::kNoBound;  ///< every limit from `limit` up to this one makes it
  bool is_default = false;             ///< the tool's default is as good as any: nothing has to be set
  PredictedPlan by_default;            ///< without a setting
  std::size_t tried = 0;               ///< limits with plans of their own
  bool all_tried = false;              ///< every plan that the tool can make is among them
  std::size_t different = 0;           ///< different_boundaries() of `best` and the wanted plan
};

/// Up to so many tensors every plan is tried; beyond it limits are at least 0.5 % apart.
inline constexpr std::size_t kMostTensorsToTryAll = 300;

/// Profiles and costs are not known better than this: a setting that gains less is not worth making.
inline constexpr double kNotWorthIt = 1e-3;

/// Boundaries between messages that only one of two plans of as many tensors has.
std::size_t different_boundaries(const MergePlan& left, const MergePlan& right);

// With a `wanted` plan the best is that which differs from it at the fewest boundaries, and of those the fastest.
// Of plans whose predictions are within a relative `tolerance` of the least the tool's default is taken, else the one
// of the largest limit. Each throws Error for an invalid profile.

/// What a bucket_cap_mb that the user sets does to the first bucket: up to PyTorch 2.4 or so it stays at 1 MiB, later
/// it follows. Without a setting it is 1 MiB in both, and 25 MiB the others.
enum class DdpFirstBucket { stays, follows };
ToolSetting best_ddp_cap(const Profile& profile, const CostModel& cost, DdpFirstBucket first_bucket,
                         double tolerance = kNotWorthIt, const MergePlan* wanted = nullptr);

/// Whole MiB, which is how Horovod keeps its threshold; default 128 MiB.
ToolSetting best_horovod_threshold(const Profile& profile, const CostModel& cost, Seconds cycle,
                                   double tolerance = kNotWorthIt, const MergePlan* wanted = nullptr);

/// Whole elements of `element` bytes; default 5e8 of them.
ToolSetting best_deepspeed_bucket(const Profile& profile, const CostModel& cost, Bytes element,
                                  double tolerance = kNotWorthIt, const MergePlan* wanted = nullptr);

/// Whole elements of `element` bytes; default the larger of 4e7 and 1e6 for each rank.
ToolSetting best_megatron_bucket(const Profile& profile, const CostModel& cost, Bytes element, int ranks,
                                 double tolerance = kNotWorthIt, const MergePlan* wanted = nullptr);

}  // namespace mgbench

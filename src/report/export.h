#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/registry.h"
#include "planner/cost_model.h"
#include "planner/merge_plan.h"
#include "planner/profile.h"
#include "report/json.h"

namespace mgbench {

/// A plan to be exported in the place of the best one.
struct GivenPlan {
  std::string name;
  std::string file;
  MergePlan plan;
};

/// What settings are computed from, and for what they hold: every export says it.
struct ExportSource {
  Profile profile;
  std::string profile_file;
  CostModel cost;
  std::string cost_name;               ///< "interconnect 10GbE", "calibration FILE"
  std::string library;                 ///< whose allreduce the cost is; empty: of no particular library
  std::string emulated;                ///< the interconnect that was emulated; empty: a real one
  int ranks = 1;                       ///< for which the cost holds
  Seconds horovod_cycle = 0;           ///< HOROVOD_CYCLE_TIME
  Bytes element = 4;                   ///< bytes of a gradient's element, for tools that count elements
  std::optional<GivenPlan> plan = {};  ///< has as many tensors as the profile

  const MergePlan* wanted() const { return plan ? &plan->plan : nullptr; }
};

/// The settings of one tool, as `mgbench plan --export NAME` prints them.
struct ExportEntry {
  std::string name;
  std::string summary;
  /// To be pasted; everything else in it is a comment that begins with "# ".
  std::function<std::string(const ExportSource&)> text;
  /// The same as values; empty for the export that holds those of all others.
  std::function<Json(const ExportSource&)> json;
};

Registry<ExportEntry>& exports();

}  // namespace mgbench

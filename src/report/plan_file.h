#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner/merge_plan.h"
#include "planner/profile.h"
#include "report/statistics.h"

namespace mgbench {

/// A merge plan to be kept: the groups with their tensors by name and size, and where it comes from.
struct PlanFile {
  std::string name;  ///< what reports call it
  std::string model;
  std::string origin;                       ///< how it was found; empty: not told
  std::string emulated;                     ///< the interconnect that was emulated; empty: a real one
  std::string command;                      ///< that made it; empty: not told
  std::string date;                         ///< ISO 8601, UTC; empty: not told
  std::optional<int> ranks;                 ///< for which it was made
  std::optional<Seconds> predicted;         ///< iteration
  std::optional<MedianEstimate> measured;   ///< iteration
  std::vector<std::vector<Tensor>> groups;  ///< tensors in ready order, none empty

  MergePlan plan() const;
};

/// YAML with one line a group.
std::string to_yaml(const PlanFile& plan);

/// `file` without folders and extension names a plan that has no `name`. Throws Error with `file`:line for anything
/// malformed, missing, unknown or out of range.
PlanFile plan_from_yaml(const std::string& text, const std::string& file);

/// The same; throws Error, too, at the first tensor that is not the one of `profile` at its place in ready order.
PlanFile plan_from_yaml(const std::string& text, const std::string& file, const Profile& profile);

}  // namespace mgbench

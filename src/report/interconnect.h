#pragma once

#include <map>
#include <string>

#include "planner/cost_model.h"

namespace mgbench {

/// An interconnect of the literature: the allreduce line by number of ranks (configs/interconnects/).
struct Interconnect {
  std::string name;
  std::string source;
  std::string doubts;                                ///< what speaks against the figures; empty: nothing known
  std::map<int, Line> allreduce;                     ///< by ranks
  std::map<Collective, std::map<int, Line>> others;  ///< reduce-scatter and all-gather, where they were measured

  /// Throws Error naming the numbers of ranks that there are.
  CostModel cost(int ranks) const;
};

/// Throws Error with `file`:line for anything malformed, missing, unknown or out of range.
Interconnect interconnect_from_yaml(const std::string& text, const std::string& file);

}  // namespace mgbench

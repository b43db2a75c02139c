#pragma once

#include <string>
#include <vector>

namespace mgbench {

/// Ranks among which an allreduce is calibrated by itself.
struct Subgroup {
  std::string layout;      ///< "one node", "one rank a node"
  std::vector<int> ranks;  ///< increasing
};

/// 2, 4, 8, ... ranks, fewer than all: within the node that has most of them, and with one rank a node where there
/// are several nodes. `hosts` by rank.
std::vector<Subgroup> subgroups(const std::vector<std::string>& hosts);

}  // namespace mgbench

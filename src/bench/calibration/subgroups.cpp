#include "bench/calibration/subgroups.h"

#include <algorithm>
#include <map>

namespace mgbench {
namespace {

/// The first 2, 4, 8, ... of `ranks`, as long as they are not all `total` of the job.
void append_powers(const std::string& layout, const std::vector<int>& ranks, std::size_t total,
                   std::vector<Subgroup>& groups) {
  for (std::size_t size = 2; size <= ranks.size() && size < total; size *= 2)
    groups.push_back({layout, {ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(size)}});
}

}  // namespace

std::vector<Subgroup> subgroups(const std::vector<std::string>& hosts) {
  std::map<std::string, std::vector<int>> ranks_of;
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) ranks_of[hosts[rank]].push_back(static_cast<int>(rank));
  std::vector<int> fullest;
  std::vector<int> leaders;
  for (const auto& [host, ranks] : ranks_of) {
    if (ranks.size() > fullest.size()) fullest = ranks;
    leaders.push_back(ranks.front());
  }
  std::sort(leaders.begin(), leaders.end());
  std::vector<Subgroup> groups;
  append_powers("one node", fullest, hosts.size(), groups);
  if (leaders.size() > 1) append_powers("one rank a node", leaders, hosts.size(), groups);
  return groups;
}

}  // namespace mgbench

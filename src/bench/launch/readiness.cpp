#include "bench/launch/readiness.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/host/machine.h"
#include "report/json.h"

namespace mgbench {

std::string reason_not_to_begin(const std::vector<Readiness>& ranks, const std::vector<std::string>& hosts) {
  const auto name = [&](auto rank) {
    const auto index = rank - ranks.begin();
    return fmt::format("rank {} on {}", index, hosts[static_cast<std::size_t>(index)]);
  };
  const auto refuses = [](const Readiness& rank) { return !rank.refusal.empty(); };
  const auto first = std::find_if(ranks.begin(), ranks.end(), refuses);
  if (first != ranks.end()) {
    const bool alike =
        std::all_of(ranks.begin(), ranks.end(), [&](const Readiness& rank) { return rank.refusal == first->refusal; });
    return alike ? first->refusal : fmt::format("{}: {}", name(first), first->refusal);
  }
  const auto with = std::find_if(ranks.begin(), ranks.end(), [](const Readiness& rank) { return rank.uses_gpu; });
  const auto without = std::find_if(ranks.begin(), ranks.end(), [](const Readiness& rank) { return !rank.uses_gpu; });
  if (with == ranks.end() || without == ranks.end()) return "";
  return fmt::format("{} would compute on a GPU, and {} cannot: {}; give each rank one, or choose --backend onednn",
                     name(with), name(without), without->no_gpu);
}

std::string reason_not_to_begin(ProcessGroup& group, const Readiness& own) {
  const Json told{own.refusal, own.uses_gpu, own.no_gpu, host_name()};  // a name of a file need not be UTF-8
  const std::vector<std::string> texts = group.gather(write_json(told));
  std::vector<Readiness> ranks;
  std::vector<std::string> hosts;
  for (const std::string& text : texts) {
    const Json rank = Json::parse(text);
    ranks.push_back({.refusal = rank.at(0), .uses_gpu = rank.at(1), .no_gpu = rank.at(2)});
    hosts.push_back(rank.at(3));
  }
  std::string reason = reason_not_to_begin(ranks, hosts);
  group.broadcast(reason);
  return reason;
}

}  // namespace mgbench

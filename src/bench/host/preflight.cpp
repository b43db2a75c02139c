#include "bench/host/preflight.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "bench/host/machine.h"
#include "bench/host/observe_host.h"
#include "bench/host/traffic.h"

namespace mgbench {
namespace {

/// Every rank adds its number; the sum must be right on each.
void check_small_allreduce(ProcessGroup& group) {
  constexpr std::size_t kCount = 1000;
  std::vector<double> values(kCount, group.rank() + 1);
  group.sum(values);
  const double expected = 0.5 * group.size() * (group.size() + 1);
  for (const double value : values)
    if (value != expected)
      fail(ExitCode::not_measured, "an allreduce over {} ranks gives {} instead of {}: MPI does not work here",
           group.size(), value, expected);
}

/// Rank 0 alone complains, of the first host that is short of memory: all ranks may be.
void require_memory(ProcessGroup& group, const Placement& placement, Bytes memory_per_rank) {
  const Bytes available = describe_machine().memory_available;
  const Bytes needed = memory_per_rank * placement.host_ranks;
  std::string shortage;
  if (needed > available)
    shortage =
        fmt::format("{} ranks on {} need {}; {} of memory are available: choose a smaller --batch or fewer ranks",
                    placement.host_ranks, placement.host, format_bytes(needed), format_bytes(available));
  for (const std::string& found : group.gather(shortage)) require(found.empty(), "{}", found);
}

/// The interfaces of this host over which messages between hosts go; none where that cannot be seen.
std::vector<std::string> observe_carriers(ProcessGroup& group) {
  constexpr Bytes kBytes = Bytes{4} << 20;
  // Several may share the messages; what else the host sends in that time is less.
  constexpr Bytes kShare = kBytes / 4;
  std::vector<double> values(static_cast<std::size_t>(kBytes) / sizeof(double));
  group.barrier();
  const SentBytes before = sent_bytes();
  group.sum(values);
  group.barrier();
  return carriers(before, sent_bytes(), kShare);
}

}  // namespace

Preflight run_preflight(Session& session, const Placement& placement, Bytes memory_per_rank) {
  ProcessGroup& group = session.group;
  check_small_allreduce(group);

  require_memory(group, placement, memory_per_rank);
  const std::vector<std::string> hosts = group.gather(placement.host);
  const std::vector<std::string> bindings = group.gather(placement.binding);
  const std::vector<double> sharing = group.gather(std::vector<double>{placement.shares_cores ? 1.0 : 0.0});
  group.barrier();  // clocks are read at about the same time
  RankFacts own = observe_host();
  if (placement.host_ranks < group.size()) own.carriers = observe_carriers(group);
  const std::vector<std::string> facts = group.gather(to_json(own));
  const std::string far_devices = far_devices_remark(group, placement);
  Preflight result;
  if (!group.is_root()) return result;

  std::map<std::string, std::vector<std::string>> bindings_of;
  std::set<std::string> sharing_hosts;
  int sharing_ranks = 0;
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
    bindings_of[hosts[rank]].push_back(bindings[rank]);
    if (sharing[rank] == 0) continue;
    sharing_hosts.insert(hosts[rank]);
    ++sharing_ranks;
  }
  result.layout = fmt::format("{} rank{} on {} host{}, {} thread{} each; processors on {}: {}", group.size(),
                              group.size() == 1 ? "" : "s", bindings_of.size(), bindings_of.size() == 1 ? "" : "s",
                              placement.threads, placement.threads == 1 ? "" : "s", placement.host,
                              fmt::join(bindings_of[placement.host], " | "));
  if (sharing_ranks > 0)  // once, however many hosts
    result.remarks.push_back(
        fmt::format("{} ranks on {}{} share processors: times will be long and uneven; start fewer ranks (-n) or bind "
                    "them (mpirun --map-by core --bind-to core)",
                    sharing_ranks, *sharing_hosts.begin(),
                    sharing_hosts.size() > 1 ? fmt::format(" and {} more hosts", sharing_hosts.size() - 1) : ""));
  if (!far_devices.empty()) result.remarks.push_back(far_devices);
  std::vector<RankFacts> known;
  for (const std::string& text : facts) known.push_back(rank_facts_from_json(text));
  if (!own.carriers.empty())
    result.layout += fmt::format("; messages between hosts take {}", fmt::join(own.carriers, " and "));
  for (std::string& oddity : find_oddities(known)) result.remarks.push_back(std::move(oddity));
  if (!session.watchdog.remark().empty()) result.remarks.push_back(session.watchdog.remark());
  return result;
}

}  // namespace mgbench

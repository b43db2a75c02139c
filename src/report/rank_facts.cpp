#include "report/rank_facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>

#include "report/json.h"

namespace mgbench {
namespace {

/// Clocks of a network-time service agree to milliseconds; the exchange itself takes some of them.
constexpr Seconds kClocksAgree = 1;
constexpr std::size_t kMostHosts = 4;  // named in one sentence
/// Sockets, shared memory and libraries of a rank beside its connections.
constexpr std::int64_t kFilesBesideConnections = 64;

using Hosts = std::set<std::string>;

std::string names_of(const Hosts& hosts) {
  const std::vector<std::string> shown(
      hosts.begin(), std::next(hosts.begin(), static_cast<std::ptrdiff_t>(std::min(hosts.size(), kMostHosts))));
  return hosts.size() > kMostHosts ? fmt::format("{} and {} more", fmt::join(shown, ", "), hosts.size() - kMostHosts)
                                   : fmt::format("{}", fmt::join(shown, ", "));
}

/// "A on n1, n2; B on n3"; empty where all have the same.
template <typename Read>
std::string differences(const std::vector<RankFacts>& facts, Read read) {
  std::map<std::string, Hosts> hosts_of;
  for (const RankFacts& each : facts) hosts_of[read(each)].insert(each.host);
  if (hosts_of.size() < 2) return "";
  std::vector<std::string> parts;
  for (const auto& [value, hosts] : hosts_of) parts.push_back(fmt::format("{} on {}", value, names_of(hosts)));
  return fmt::format("{}", fmt::join(parts, "; "));
}

void find_unlike(const std::vector<RankFacts>& facts, std::vector<std::string>& found) {
  if (const auto text = differences(facts, [](const RankFacts& each) { return each.program; }); !text.empty())
    found.push_back(fmt::format("ranks run different mgbench programs: {}; install one on all hosts", text));
  if (const auto text = differences(facts, [](const RankFacts& each) { return each.mpi; }); !text.empty())
    found.push_back(fmt::format("ranks use different MPI libraries: {}; load one on all hosts", text));
  if (const auto text = differences(facts, [](const RankFacts& each) { return each.processor; }); !text.empty())
    found.push_back(fmt::format(
        "processors differ: {}; every iteration waits for the slowest, so ask for nodes of one kind", text));
}

void find_clocks(const std::vector<RankFacts>& facts, std::vector<std::string>& found) {
  const auto earlier = [](const RankFacts& left, const RankFacts& right) { return left.clock < right.clock; };
  const auto [behind, ahead] = std::minmax_element(facts.begin(), facts.end(), earlier);
  if (ahead->clock - behind->clock <= kClocksAgree || ahead->host == behind->host) return;
  found.push_back(fmt::format(
      "the clock of {} is {:.1f} s ahead of {}'s: times of logs and files will mislead; see to their network time",
      ahead->host, ahead->clock - behind->clock, behind->host));
}

void find_addresses(const std::vector<RankFacts>& facts, std::vector<std::string>& found) {
  std::map<std::string, Hosts> hosts_of;
  std::map<std::string, std::string> name_of;
  for (const RankFacts& each : facts)
    for (const NetworkInterface& interface : each.interfaces) {
      hosts_of[interface.address].insert(each.host);
      name_of.emplace(interface.address, interface.name);
    }
  for (const auto& [address, hosts] : hosts_of) {
    if (hosts.size() < 2) continue;
    const std::string& name = name_of[address];
    found.push_back(
        fmt::format("{} has the address {} on {}: a bridge of each host's own, over which they cannot reach each "
                    "other, but MPI may try "
                    "to; with Open MPI: --mca btl_tcp_if_exclude lo,{} --mca oob_tcp_if_exclude lo,{}",
                    name, address, names_of(hosts), name, name));
  }
}

/// Bridges, overlays and tunnels of containers, virtual machines and private networks, by the names that these give.
bool is_virtual(const std::string& name) {
  constexpr std::array kBegins{"docker", "br-", "virbr", "veth", "cni", "flannel",
                               "cali",   "tun", "tap",   "wg",   "lxc", "lxd"};
  return std::any_of(kBegins.begin(), kBegins.end(), [&](const char* begin) { return name.starts_with(begin); });
}

void find_carriers(const std::vector<RankFacts>& facts, std::vector<std::string>& found) {
  std::map<std::string, Hosts> virtual_on;
  std::vector<RankFacts> telling;
  for (const RankFacts& each : facts) {
    if (!each.carriers.empty()) telling.push_back(each);
    for (const std::string& name : each.carriers)
      if (is_virtual(name)) virtual_on[name].insert(each.host);
  }
  for (const auto& [name, hosts] : virtual_on)
    found.push_back(fmt::format(
        "messages between hosts go through {} on {}, a virtual interface, which costs time; name the hosts' own, with "
        "Open MPI: --mca btl_tcp_if_include INTERFACE",
        name, names_of(hosts)));
  const auto text =
      differences(telling, [](const RankFacts& each) { return fmt::format("{}", fmt::join(each.carriers, " and ")); });
  if (!text.empty())
    found.push_back(fmt::format(
        "messages between hosts take unlike interfaces: {}; name one of the fast network that all have, with Open MPI: "
        "--mca btl_tcp_if_include INTERFACE",
        text));
}

void find_limits(const std::vector<RankFacts>& facts, std::vector<std::string>& found) {
  const std::int64_t needed = static_cast<std::int64_t>(facts.size()) + kFilesBesideConnections;
  Hosts few_files, little_memory;
  for (const RankFacts& each : facts) {
    if (each.open_files >= 0 && each.open_files < needed) few_files.insert(each.host);
    if (each.has_infiniband && each.locked_memory >= 0) little_memory.insert(each.host);
  }
  if (!few_files.empty())
    found.push_back(fmt::format(
        "on {} a process may have fewer than the {} open files that connections to {} ranks can take; raise ulimit -n",
        names_of(few_files), needed, facts.size()));
  if (!little_memory.empty())
    found.push_back(fmt::format(
        "on {} locked memory is limited, which slows or stops messages over InfiniBand; set ulimit -l unlimited",
        names_of(little_memory)));
}

}  // namespace

std::string to_json(const RankFacts& facts) {
  Json interfaces = Json::array();
  for (const NetworkInterface& interface : facts.interfaces)
    interfaces.push_back({{"name", interface.name}, {"address", interface.address}});
  return write_json({{"host", facts.host},
                     {"program", facts.program},
                     {"mpi", facts.mpi},
                     {"processor", facts.processor},
                     {"clock_seconds", facts.clock},
                     {"open_files", facts.open_files},
                     {"locked_memory_bytes", facts.locked_memory},
                     {"has_infiniband", facts.has_infiniband},
                     {"interfaces", std::move(interfaces)},
                     {"carriers", facts.carriers}});
}

RankFacts rank_facts_from_json(const std::string& text) {
  const Document document = parse_json(text, "facts of a rank");
  const Value root = document.root();
  root.fields({"host", "program", "mpi", "processor", "clock_seconds", "open_files", "locked_memory_bytes",
               "has_infiniband", "interfaces", "carriers"});
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  RankFacts facts{.host = root.at("host").text(),
                  .program = root.at("program").text(),
                  .mpi = root.at("mpi").text(),
                  .processor = root.at("processor").text(),
                  .clock = root.at("clock_seconds").number(0, 1e11),
                  .open_files = root.at("open_files").integer<std::int64_t>(-1, kMost),
                  .locked_memory = root.at("locked_memory_bytes").integer<Bytes>(-1, kMost),
                  .has_infiniband = root.at("has_infiniband").boolean(),
                  .interfaces = {},
                  .carriers = {}};
  for (const Value& interface : root.at("interfaces").items()) {
    interface.fields({"name", "address"});
    facts.interfaces.push_back({.name = interface.at("name").text(), .address = interface.at("address").text()});
  }
  for (const Value& carrier : root.at("carriers").items()) facts.carriers.push_back(carrier.text());
  return facts;
}

std::vector<std::string> find_oddities(const std::vector<RankFacts>& facts) {
  std::vector<std::string> found;
  if (facts.empty()) return found;
  find_unlike(facts, found);
  find_clocks(facts, found);
  find_addresses(facts, found);
  find_carriers(facts, found);
  find_limits(facts, found);
  return found;
}

}  // namespace mgbench

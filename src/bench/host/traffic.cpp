#include "bench/host/traffic.h"

#include <linux/if_link.h>
#include <net/if.h>
#include <sys/socket.h>

#include <filesystem>
#include <fstream>

#include "bench/host/interfaces.h"

namespace mgbench {
namespace {

namespace fs = std::filesystem;

void add_ethernet(SentBytes& sent) {
  for_each_interface([&](const ifaddrs& each) {
    if (each.ifa_addr->sa_family == AF_PACKET && each.ifa_data != nullptr && (each.ifa_flags & IFF_LOOPBACK) == 0)
      sent[each.ifa_name] = static_cast<const rtnl_link_stats*>(each.ifa_data)->tx_bytes;
  });
}

void add_infiniband(SentBytes& sent) {
  constexpr std::uint32_t kUnit = 4;  // its counter counts words of four bytes
  std::error_code none;
  for (const auto& device : fs::directory_iterator("/sys/class/infiniband", none))
    for (const auto& port : fs::directory_iterator(device.path() / "ports", none)) {
      std::uint64_t words = 0;
      if (std::ifstream(port.path() / "counters" / "port_xmit_data") >> words)
        sent[device.path().filename().string()] += static_cast<std::uint32_t>(words) * kUnit;
    }
}

}  // namespace

SentBytes sent_bytes() {
  SentBytes sent;
  add_ethernet(sent);
  add_infiniband(sent);
  return sent;
}

std::vector<std::string> carriers(const SentBytes& before, const SentBytes& after, Bytes least) {
  std::vector<std::string> names;
  for (const auto& [name, bytes] : after) {
    const auto known = before.find(name);
    if (known != before.end() && static_cast<Bytes>(static_cast<std::uint32_t>(bytes - known->second)) >= least)
      names.push_back(name);
  }
  return names;
}

}  // namespace mgbench

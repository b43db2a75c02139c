#include "bench/host/observe_host.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/resource.h>

#include <array>
#include <chrono>
#include <cstring>
#include <filesystem>

#include "bench/build_info.h"
#include "bench/host/interfaces.h"
#include "bench/host/machine.h"
#include "bench/mpi/mpi_session.h"

namespace mgbench {
namespace {

/// -1: unlimited, or not told.
std::int64_t limit_of(__rlimit_resource_t resource) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return -1;
  return static_cast<std::int64_t>(limit.rlim_cur);
}

std::vector<NetworkInterface> interfaces_up() {
  std::vector<NetworkInterface> result;
  for_each_interface([&](const ifaddrs& each) {
    const bool up = (each.ifa_flags & IFF_UP) != 0 && (each.ifa_flags & IFF_LOOPBACK) == 0;
    if (!up || each.ifa_addr->sa_family != AF_INET) return;
    sockaddr_in address{};
    std::memcpy(&address, each.ifa_addr, sizeof(address));
    std::array<char, INET_ADDRSTRLEN> text{};
    if (inet_ntop(AF_INET, &address.sin_addr, text.data(), text.size()) != nullptr)
      result.push_back({.name = each.ifa_name, .address = text.data()});
  });
  return result;
}

bool has_infiniband() {
  std::error_code none;
  return !std::filesystem::is_empty("/sys/class/infiniband", none) && !none;
}

}  // namespace

RankFacts observe_host() {
  const Machine machine = describe_machine();
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  return {.host = machine.host,
          .program = fmt::format("{} ({}, {}, {})", kVersion, kCommit, kBuildType, kCompiler),
          .mpi = mpi_library_version(),
          .processor = machine.cpu,
          .clock = std::chrono::duration<double>(since_1970).count(),
          .open_files = limit_of(RLIMIT_NOFILE),
          .locked_memory = limit_of(RLIMIT_MEMLOCK),
          .has_infiniband = has_infiniband(),
          .interfaces = interfaces_up(),
          .carriers = {}};
}

}  // namespace mgbench

#include "bench/watch/udp_socket.h"

#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "bench/host/interfaces.h"

namespace mgbench {
namespace {

sockaddr_in to_system(const UdpAddress& address) {
  sockaddr_in result{};
  result.sin_family = AF_INET;
  result.sin_addr.s_addr = htonl(address.host);
  result.sin_port = htons(address.port);
  return result;
}

UdpAddress from_system(const sockaddr_in& address) {
  return {.host = ntohl(address.sin_addr.s_addr), .port = ntohs(address.sin_port)};
}

}  // namespace

UdpSocket::UdpSocket() : descriptor_(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
  if (descriptor_ < 0) return;
  sockaddr_in address = to_system({});
  socklen_t size = sizeof address;
  if (bind(descriptor_, reinterpret_cast<const sockaddr*>(&address), size) != 0) return;
  if (getsockname(descriptor_, reinterpret_cast<sockaddr*>(&address), &size) != 0) return;
  port_ = from_system(address).port;
}

UdpSocket::~UdpSocket() {
  if (descriptor_ >= 0) close(descriptor_);
}

void UdpSocket::send(std::span<const std::uint8_t> bytes, const UdpAddress& to) {
  const sockaddr_in address = to_system(to);
  sendto(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address),
         sizeof address);
}

std::optional<UdpMessage> UdpSocket::receive() {
  std::array<std::uint8_t, kLongestUdpMessage> buffer;
  for (;;) {
    sockaddr_in from{};
    socklen_t size = sizeof from;
    const ssize_t count =
        recvfrom(descriptor_, buffer.data(), buffer.size(), MSG_TRUNC, reinterpret_cast<sockaddr*>(&from), &size);
    if (count < 0 && (errno == EINTR || errno == ECONNREFUSED)) continue;
    if (count < 0) return std::nullopt;
    if (static_cast<std::size_t>(count) > buffer.size()) continue;
    return UdpMessage{.from = from_system(from), .bytes = {buffer.begin(), buffer.begin() + count}};
  }
}

std::vector<std::uint32_t> host_addresses(std::size_t most) {
  std::vector<std::uint32_t> loopback;
  std::vector<std::uint32_t> others;
  for_each_interface([&](const ifaddrs& each) {
    if (each.ifa_addr->sa_family != AF_INET || (each.ifa_flags & IFF_UP) == 0) return;
    auto& list = (each.ifa_flags & IFF_LOOPBACK) != 0 ? loopback : others;
    list.push_back(from_system(*reinterpret_cast<const sockaddr_in*>(each.ifa_addr)).host);
  });
  loopback.insert(loopback.end(), others.begin(), others.end());
  loopback.resize(std::min(loopback.size(), most));
  return loopback;
}

}  // namespace mgbench

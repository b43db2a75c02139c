#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mgbench {

/// An IPv4 address and a port, both as the host counts.
struct UdpAddress {
  std::uint32_t host = 0;
  std::uint16_t port = 0;
};

struct UdpMessage {
  UdpAddress from;
  std::vector<std::uint8_t> bytes;  ///< at most kLongestUdpMessage; longer ones are dropped
};

constexpr std::size_t kLongestUdpMessage = 512;

/// A datagram socket on a free port of all interfaces. It never blocks; what cannot be sent is lost, as on the way.
class UdpSocket {
 public:
  UdpSocket();
  ~UdpSocket();
  UdpSocket(const UdpSocket&) = delete;
  UdpSocket& operator=(const UdpSocket&) = delete;

  /// Whether there is one.
  bool ok() const { return port_ != 0; }
  std::uint16_t port() const { return port_; }
  int descriptor() const { return descriptor_; }

  void send(std::span<const std::uint8_t> bytes, const UdpAddress& to);
  /// None where nothing waits.
  std::optional<UdpMessage> receive();

 private:
  int descriptor_ = -1;
  std::uint16_t port_ = 0;
};

/// Addresses of this host's interfaces that are up, the loopback first, at most `most`.
std::vector<std::uint32_t> host_addresses(std::size_t most);

}  // namespace mgbench

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/units.h"

namespace mgbench {

/// A rank's word of itself (see Activity::State).
struct Heartbeat {
  int rank = 0;
  std::uint32_t sequence = 0;  ///< counts this rank's heartbeats; wraps
  std::uint64_t position = 0;
  std::uint64_t pulse = 0;
  bool waiting = false;
  Seconds expected = 0;
  std::string doing;
};

/// What goes over the network. Rank 0 answers each heartbeat; its call wants one at once.
struct Datagram {
  enum class Kind : std::uint8_t { heartbeat = 1, answer = 2, call = 3 };
  Kind kind = Kind::heartbeat;
  std::uint8_t route = 0;  ///< which of rank 0's addresses a heartbeat was sent to; an answer repeats it
  Heartbeat beat;
};

constexpr std::size_t kDatagramBytes = 192;
using DatagramBytes = std::array<std::uint8_t, kDatagramBytes>;

/// `key` is this job's; a long text is cut.
DatagramBytes encode(const Datagram& datagram, std::uint64_t key);

/// Anybody may send to a port: nothing for what is not of this size, version, key and number of ranks. The text comes
/// back printable.
std::optional<Datagram> decode(std::span<const std::uint8_t> bytes, std::uint64_t key, int ranks);

}  // namespace mgbench

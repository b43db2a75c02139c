#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/units.h"

namespace mgbench {

/// Bytes that each network interface of this host has sent, modulo 2^32: Ethernet's and its like, and InfiniBand's
/// ports ("mlx5_0"), whose messages no other interface counts.
using SentBytes = std::map<std::string, std::uint32_t>;
SentBytes sent_bytes();

/// The interfaces that sent at least `least` in between.
std::vector<std::string> carriers(const SentBytes& before, const SentBytes& after, Bytes least);

}  // namespace mgbench

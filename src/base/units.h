#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mgbench {

using Seconds = double;
using Bytes = std::int64_t;

/// Half-open range of byte offsets.
struct ByteRange {
  Bytes begin = 0;
  Bytes end = 0;
  Bytes size() const { return end - begin; }
  bool operator==(const ByteRange&) const = default;
};

/// For people: "183 us", "12.4 ms", "1.31 s".
std::string format_seconds(Seconds seconds);

/// For people, in binary units: "512 B", "25.0 MiB".
std::string format_bytes(Bytes bytes);

/// Parses "64", "64B", "16KiB", "25MiB", "1GiB", "10MB" (decimal). Throws Error naming `what` for anything else.
Bytes parse_bytes(std::string_view text, std::string_view what);

}  // namespace mgbench

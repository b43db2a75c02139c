#pragma once

#include <algorithm>
#include <cstddef>

namespace mgbench {

/// MPI counts are ints: what is larger travels in pieces.
constexpr std::size_t kLargestMpiCount = std::size_t{1} << 30;

/// Calls `call(offset, count)` for consecutive pieces of `total` elements, each of at most `largest`. None
/// for a total of 0.
template <typename Call>
void for_each_chunk(std::size_t total, Call&& call, std::size_t largest = kLargestMpiCount) {
  for (std::size_t offset = 0; offset < total; offset += largest)
    call(offset, static_cast<int>(std::min(largest, total - offset)));
}

}  // namespace mgbench

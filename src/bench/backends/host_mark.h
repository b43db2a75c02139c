#pragma once

#include <chrono>

#include "bench/network.h"

namespace mgbench {

/// Marks of networks that compute on the host: nanoseconds of the clock that steady_clock() reads, from the
/// same origin.
inline Mark host_mark() {
  const auto since_origin = std::chrono::steady_clock::now().time_since_epoch();
  return {std::chrono::duration_cast<std::chrono::nanoseconds>(since_origin).count()};
}

inline Seconds host_seconds(Mark mark) {
  return static_cast<double>(mark.value) * 1e-9;
}

}  // namespace mgbench

#pragma once

#include <cstdio>
#include <string>

#include "core/lock.h"

namespace stand_in {

/// Why a call returns something else than success; without words where the library's user expects it (not ready yet).
template <class Status>
struct Refusal {
  Status status;
  std::string reason;
};

template <class Status>
void require(bool condition, Status status, const std::string& reason) {
  if (!condition) throw Refusal<Status>{status, reason};
}

/// The body of one function of a library: holds the lock, says loudly why a call is refused, and returns what the
/// documentation tells to return then. Success is zero in all libraries.
template <class Status, class Body>
Status answer(const char* function, Body body) {
  const Locked locked;
  try {
    body();
    return Status{};
  } catch (const Refusal<Status>& refusal) {
    if (!refusal.reason.empty()) {
      std::fprintf(stderr, "stand-in: %s: %s (returns %d)\n", function, refusal.reason.c_str(),
                   static_cast<int>(refusal.status));
    }
    return refusal.status;
  }
}

}  // namespace stand_in

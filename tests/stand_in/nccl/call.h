#pragma once

#include <nccl.h>

#include "core/refusal.h"

namespace stand_in {

template <class Body>
ncclResult_t call(const char* function, Body body) {
  return answer<ncclResult_t>(function, body);
}

inline void require_argument(bool condition, const std::string& reason) {
  require(condition, ncclInvalidArgument, reason);
}

}  // namespace stand_in

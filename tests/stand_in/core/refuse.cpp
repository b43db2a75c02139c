#include "core/refuse.h"

#include <cstdio>

namespace stand_in {

int refuse(const char* function, int status) {
  std::fprintf(stderr, "stand-in: %s: not in the stand-in (returns %d)\n", function, status);
  return status;
}

}  // namespace stand_in

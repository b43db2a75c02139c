#include "core/context.h"

namespace stand_in {

bool& thread_has_context() {
  thread_local bool has = false;
  return has;
}

}  // namespace stand_in

#include "core/context.h"

namespace stand_in {

ThreadContext& thread_context() {
  thread_local ThreadContext context;
  return context;
}

}  // namespace stand_in

#pragma once

namespace stand_in {

/// What the device's libraries know of the calling thread.
struct ThreadContext {
  bool current = false;  // a call of the runtime has made the device's primary context the thread's
  int device = 0;
};
ThreadContext& thread_context();

}  // namespace stand_in

#pragma once

namespace stand_in {

/// Whether a call of the runtime has made the device's primary context the calling thread's, which calls of the driver
/// need.
bool& thread_has_context();

}  // namespace stand_in

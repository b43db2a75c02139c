#pragma once

#include <memory>

namespace mgbench {

/// Keeps what messages in flight still use until the process ends, where an exception is on its way: they may never
/// end, and giving up what they use would wait for them.
void leave_behind(std::shared_ptr<void> used);

}  // namespace mgbench

#pragma once

#include <vector>

#include "base/units.h"
#include "planner/timeline.h"

namespace mgbench {

/// A message among others that may be in flight at the same time.
struct SharedMessage {
  int channel = 0;       ///< messages of one channel are sent one at a time, in order
  Seconds ready = 0;     ///< earliest start
  Seconds startup = 0;   ///< takes this time whatever else is in flight
  Seconds transfer = 0;  ///< then this, alone; `sharing` times longer while another message transfers too
};

/// Times of the messages, in their order. At most two transfer at once in the published measurement of `sharing`; with
/// more channels each further one slows the others by the same factor.
std::vector<MessageTimes> share_link(const std::vector<SharedMessage>& messages, double sharing);

}  // namespace mgbench

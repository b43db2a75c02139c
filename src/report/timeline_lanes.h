#pragma once

#include <string>
#include <vector>

#include "planner/timeline.h"

namespace mgbench {

/// Something that takes its lane from begin to end, in seconds from the start of the iteration.
struct LaneBar {
  std::string name;
  Seconds begin = 0;
  Seconds end = 0;
};

// Lanes for drawing, the bars in order of time. Whatever the timeline holds, none ends before it begins, and none
// overlaps the one before; where predict() or the training loop made the timeline, its times are kept.

/// Forward, backward and update; nothing for a timeline that was not measured.
std::vector<LaneBar> computation_lane(const Timeline& timeline);

/// Messages, without names.
std::vector<LaneBar> message_lane(const Timeline& timeline);

}  // namespace mgbench

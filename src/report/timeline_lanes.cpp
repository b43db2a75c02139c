#include "report/timeline_lanes.h"

#include <algorithm>
#include <utility>

namespace mgbench {
namespace {

void append(std::vector<LaneBar>& lane, std::string name, Seconds begin, Seconds end) {
  const Seconds from = std::max(begin, lane.empty() ? 0 : lane.back().end);
  lane.push_back({std::move(name), from, std::max(from, end)});
}

}  // namespace

std::vector<LaneBar> computation_lane(const Timeline& timeline) {
  std::vector<LaneBar> lane;
  if (timeline.iteration <= 0) return lane;
  append(lane, "forward", 0, timeline.forward_end);
  append(lane, "backward", timeline.forward_end, timeline.backward_end);
  append(lane, "update", std::max(timeline.communication_end, timeline.backward_end), timeline.iteration);
  return lane;
}

std::vector<LaneBar> message_lane(const Timeline& timeline) {
  std::vector<LaneBar> lane;
  for (const MessageTimes& message : timeline.messages) append(lane, "", message.start, message.end);
  return lane;
}

}  // namespace mgbench

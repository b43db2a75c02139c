#include "report/chrome_trace.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "report/json.h"
#include "report/timeline_lanes.h"

namespace mgbench {
namespace {

using Messages = std::vector<std::vector<Tensor>>;

double nanoseconds(Seconds seconds) {
  return std::round(1e9 * seconds);
}

double microseconds(Seconds seconds) {
  return nanoseconds(seconds) / 1e3;
}

/// What viewers call a process or a thread, and where they put it.
void add_name(Json& events, const char* kind, int process, int thread, const std::string& name) {
  const auto add = [&](const char* what, const Json& arguments) {
    events.push_back({{"name", fmt::format("{}_{}", kind, what)},
                      {"ph", "M"},
                      {"ts", 0},
                      {"pid", process},
                      {"tid", thread},
                      {"args", arguments}});
  };
  add("name", {{"name", name}});
  add("sort_index", {{"sort_index", thread == 0 ? process : thread}});
}

void add_bar(Json& events, int process, int thread, const std::string& name, const LaneBar& bar, Json arguments) {
  // The difference of rounded times: rounding makes no two bars overlap.
  events.push_back({{"name", name},
                    {"ph", "X"},
                    {"ts", microseconds(bar.begin)},
                    {"dur", (nanoseconds(bar.end) - nanoseconds(bar.begin)) / 1e3},
                    {"pid", process},
                    {"tid", thread},
                    {"args", std::move(arguments)}});
}

std::string message_name(const std::vector<Tensor>& tensors) {
  if (tensors.size() == 1) return tensors.front().name;
  return fmt::format("{} to {} ({} tensors)", tensors.front().name, tensors.back().name, tensors.size());
}

void add_message(Json& events, int process, int thread, std::size_t index, const LaneBar& bar, const Timeline& timeline,
                 const Messages& messages) {
  const MessageTimes& times = timeline.messages[index];
  Json arguments{{"message", index + 1},
                 {"ready_us", microseconds(times.ready)},
                 {"start_us", microseconds(times.start)},
                 {"end_us", microseconds(times.end)}};
  std::string name = fmt::format("message {}", index + 1);
  if (index < messages.size()) {
    name = message_name(messages[index]);
    Json names = Json::array();
    Bytes bytes = 0;
    for (const Tensor& tensor : messages[index]) {
      names.push_back(tensor.name);
      bytes += tensor.bytes;
    }
    arguments["bytes"] = bytes;
    arguments["tensors"] = std::move(names);
  }
  add_bar(events, process, thread, name, bar, std::move(arguments));
}

/// Two tracks, of threads `thread` and `thread` + 1.
void add_timeline(Json& events, int process, int thread, const std::string& origin, const Timeline& timeline,
                  const Messages& messages) {
  const std::vector<LaneBar> computation = computation_lane(timeline);
  if (computation.empty()) return;
  add_name(events, "thread", process, thread, origin + ": computation");
  for (const LaneBar& bar : computation) add_bar(events, process, thread, bar.name, bar, Json::object());
  add_name(events, "thread", process, thread + 1, origin + ": messages");
  const std::vector<LaneBar> lane = message_lane(timeline);
  for (std::size_t i = 0; i < lane.size(); ++i)
    add_message(events, process, thread + 1, i, lane[i], timeline, messages);
}

}  // namespace

std::string chrome_trace(const std::vector<NamedResult>& results) {
  Json events = Json::array();
  int process = 0;
  for (const auto& [file, result] : results)
    for (const StrategyResult& strategy : result.strategies) {
      const Messages messages = message_tensors(result, strategy);
      add_name(events, "process", ++process, 0,
               results.size() == 1 ? strategy.strategy : fmt::format("{}: {}", file, strategy.strategy));
      add_timeline(events, process, 1, "predicted", strategy.predicted, messages);
      add_timeline(events, process, 3, "measured on rank 0", strategy.measured, messages);
    }
  return write_json({{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}});
}

}  // namespace mgbench

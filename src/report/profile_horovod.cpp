#include "report/profile_horovod.h"

#include <algorithm>
#include <map>
#include <set>

#include "report/element_sizes.h"
#include "report/import/log_text.h"
#include "report/json.h"
#include "report/ready_order.h"
#include "report/statistics.h"
#include "report/unfinished_json.h"

namespace mgbench {
namespace {

constexpr const char* kNegotiate = "NEGOTIATE_ALLREDUCE";
constexpr double kLatest = 1e16;  // us

const ElementSizes kTypes{{"float32", 4}, {"float64", 8}, {"float16", 2}, {"bfloat16", 2}, {"uint8", 1}, {"int8", 1},
                          {"uint16", 2},  {"int16", 2},   {"int32", 4},   {"int64", 8},    {"bool", 1}};

/// The timeline shows each tensor as a process of its own.
struct Lane {
  std::string name;
  std::vector<Seconds> starts;  ///< of its negotiations: when the first rank has the tensor ready
  Bytes bytes = 0;              ///< 0: not told
};

/// "[64, 3, 7, 7]".
std::vector<Bytes> shape_of(const Value& value) {
  const std::string text = value.text();
  if (text.size() < 2 || text.front() != '[' || text.back() != ']')
    value.wrong("'{}' is not a shape, expected one like [64, 3, 7, 7]", text.substr(0, 60));
  const std::string inner = text.substr(1, text.size() - 2);
  std::vector<Bytes> shape;
  if (trimmed(inner).empty()) return shape;
  for (const std::string_view cell : cells_of(inner)) {
    const auto extent = number_in(cell);
    if (!extent || *extent < 0 || *extent > static_cast<double>(Bytes{1} << 40) ||
        *extent != static_cast<double>(static_cast<Bytes>(*extent)))
      value.wrong("'{}' is not a shape, expected one like [64, 3, 7, 7]", text.substr(0, 60));
    shape.push_back(static_cast<Bytes>(*extent));
  }
  return shape;
}

std::string text_at(const Value& event, std::string_view key) {
  const auto value = event.find(key);
  return value && value->is_text() ? value->text() : "";
}

std::string printable(const Value& value) {
  std::string text = value.text();
  if (!is_printable(text)) value.wrong("control characters in a name");
  return text;
}

/// An operation ends; its arguments tell the tensor's type and shape, where Horovod wrote any.
void read_size(const Value& event, Lane& lane) {
  const auto arguments = event.find("args");
  if (!arguments || !arguments->find("dtype") || !arguments->find("shape")) return;
  const Bytes bytes = tensor_bytes(shape_of(arguments->at("shape")), arguments->at("dtype").text(), kTypes, event);
  if (lane.bytes != 0 && lane.bytes != bytes)
    event.wrong("'{}' has {} B, and had {} B before", lane.name, bytes, lane.bytes);
  lane.bytes = bytes;
}

std::vector<Lane> read_lanes(const Value& events) {
  std::map<std::int64_t, Lane> lanes;
  std::map<std::int64_t, bool> reduces;  // whether the operation under way is an allreduce
  for (const Value& event : events.items()) {
    const std::string phase = text_at(event, "ph");
    const auto process = event.find("pid");
    if (!process) continue;
    const auto pid = process->integer<std::int64_t>(0, 1'000'000'000);
    const std::string name = text_at(event, "name");
    if (phase == "M" && name == "process_name") {
      if (const auto arguments = event.find("args"); arguments && arguments->find("name"))
        lanes[pid].name = printable(arguments->at("name"));
    } else if (phase == "B") {
      if (name == kNegotiate) lanes[pid].starts.push_back(1e-6 * event.at("ts").number(0, kLatest));
      if (name.starts_with("NEGOTIATE_")) reduces[pid] = name == kNegotiate;
    } else if (phase == "E" && reduces[pid]) {
      read_size(event, lanes[pid]);
    }
  }
  std::vector<Lane> result;
  for (auto& [pid, lane] : lanes)
    if (!lane.starts.empty()) result.push_back(std::move(lane));
  return result;
}

void require_named_once(const std::vector<Lane>& lanes, const std::string& file) {
  std::set<std::string> names;
  for (const Lane& lane : lanes) {
    require(!lane.name.empty(), "{}: a lane with allreduces has no name, expected a process_name of each", file);
    require(names.insert(lane.name).second, "{}: two lanes are named '{}', expected one for each tensor", file,
            lane.name);
  }
}

/// Takes away what is not reduced in every iteration (averages of metrics), and returns its names. The last iteration
/// may be unfinished.
std::vector<std::string> take_occasional(std::vector<Lane>& lanes) {
  std::size_t most = 0;
  for (const Lane& lane : lanes) most = std::max(most, lane.starts.size());
  std::vector<std::string> names;
  for (const Lane& lane : lanes)
    if (lane.starts.size() + 1 < most) names.push_back(lane.name);
  std::erase_if(lanes, [&](const Lane& lane) { return lane.starts.size() + 1 < most; });
  return names;
}

/// When each iteration's first tensor is ready.
std::vector<Seconds> iteration_starts(const std::vector<Lane>& lanes, const std::string& file) {
  std::size_t iterations = lanes[0].starts.size();
  for (const Lane& lane : lanes) iterations = std::min(iterations, lane.starts.size());
  std::vector<Seconds> starts;
  Seconds last = 0;
  for (std::size_t k = 0; k < iterations; ++k) {
    Seconds first = 1e-6 * kLatest, latest = 0;
    for (const Lane& lane : lanes) {
      first = std::min(first, lane.starts[k]);
      latest = std::max(latest, lane.starts[k]);
    }
    require(k == 0 || first > last, "{}: iteration {} begins before the one before it has all its tensors", file,
            k + 1);
    last = latest;
    starts.push_back(first);
  }
  return starts;
}

std::vector<ReadyGradient> gradients_of(std::vector<Lane> lanes, const std::vector<Seconds>& starts) {
  std::vector<std::pair<Seconds, const Lane*>> ready;
  for (const Lane& lane : lanes) {
    std::vector<double> times;
    for (std::size_t k = 0; k < starts.size(); ++k) times.push_back(lane.starts[k] - starts[k]);
    ready.emplace_back(median(times), &lane);
  }
  std::stable_sort(ready.begin(), ready.end(),
                   [](const auto& left, const auto& right) { return left.first < right.first; });
  std::vector<ReadyGradient> gradients;
  Seconds before = ready[0].first;
  for (const auto& [time, lane] : ready) {
    gradients.push_back({.name = lane->name, .bytes = lane->bytes, .backward = time - before});
    before = time;
  }
  return gradients;
}

}  // namespace

bool is_horovod_timeline(const std::string& text) {
  return contains(text, kNegotiate);
}

ReadProfile profile_from_horovod_timeline(const std::string& text, const std::string& file) {
  const FinishedJson whole = finished_json_array(text);
  const Document document = parse_json(whole.text, file);
  std::vector<Lane> lanes = read_lanes(document.root());
  require_named_once(lanes, file);
  const std::vector<std::string> occasional = take_occasional(lanes);
  require(!lanes.empty(), "{}: no tensor with {}, expected at least one", file, kNegotiate);
  for (const Lane& lane : lanes)
    require(lane.bytes > 0, "{}: no operation of '{}' ends with its dtype and shape, so that its size is not known",
            file, lane.name);
  const std::vector<Seconds> starts = iteration_starts(lanes, file);
  Profile profile = profile_in_forward_order(gradients_of(lanes, starts), 0);
  require(profile.backward() > 0, "{}: all gradients are ready at once, expected times of a backward pass", file);

  std::string remark = fmt::format(
      "{}: medians over {} iteration{} of a Horovod timeline, which has no forward, no update, and no time until the "
      "first gradient: they count as 0; gradients are ready when the first rank says so, at the next of Horovod's "
      "cycles",
      file, starts.size(), starts.size() == 1 ? "" : "s");
  if (!occasional.empty())
    remark += fmt::format("; left out as not reduced in every iteration: {} tensor{} ('{}'{})", occasional.size(),
                          occasional.size() == 1 ? "" : "s", occasional[0], occasional.size() == 1 ? "" : ", ...");
  if (whole.cut) remark += "; the timeline is unfinished and was read up to its last whole event";
  return {.profile = std::move(profile), .remarks = {std::move(remark)}};
}

}  // namespace mgbench

#include "report/pytorch_trace.h"

#include <algorithm>
#include <map>

#include "report/device_clock.h"
#include "report/element_sizes.h"
#include "report/import/log_text.h"

namespace mgbench {
namespace {

constexpr double kLatest = 1e16;  // us; 300 years

const ElementSizes kTypes{{"float", 4}, {"double", 8}, {"c10::Half", 2}, {"c10::BFloat16", 2}};

/// The events that matter.
struct Events {
  std::vector<TraceStep> steps;
  std::vector<TraceGradient> gradients;
  std::vector<TraceSpan> autograd;
  std::vector<TraceSpan> updates;
  std::map<std::int64_t, Seconds> launches;  ///< by correlation
  std::vector<std::pair<std::int64_t, TraceSpan>> device;
  bool communicates = false;
};

TraceSpan span_of(const Value& event) {
  const Seconds begin = event.at("ts").number(0, kLatest) / 1e6;
  return {begin, begin + event.at("dur").number(0, kLatest) / 1e6};
}

TraceGradient gradient_of(const Value& event) {
  const auto arguments = event.find("args");
  const auto shapes = arguments ? arguments->find("Input Dims") : std::nullopt;
  const auto types = arguments ? arguments->find("Input type") : std::nullopt;
  if (!shapes || !types || shapes->items().empty() || types->items().empty())
    event.wrong("{} without its shape, expected a trace with record_shapes=True", kAccumulateGrad);
  std::vector<Bytes> shape;
  for (const Value& extent : shapes->items()[0].items()) shape.push_back(extent.integer<Bytes>(0, Bytes{1} << 40));
  return {span_of(event), tensor_bytes(shape, types->items()[0].text(), kTypes, event)};
}

std::string text_at(const Value& event, std::string_view key) {
  const auto value = event.find(key);
  return value && value->is_text() ? value->text() : "";
}

std::int64_t correlation_of(const Value& event) {
  return event.at("args").at("correlation").integer<std::int64_t>(0, std::int64_t{1} << 53);
}

bool is_communication(const std::string& name) {
  return contains(name, "all_reduce") || contains(name, "allreduce_") || contains(name, "record_param_comms") ||
         contains(name, "nccl");
}

void read_event(const Value& event, Events& events) {
  if (text_at(event, "ph") != "X") return;
  const std::string name = text_at(event, "name");
  const std::string category = lowered(text_at(event, "cat"));
  if (category == "gpu_user_annotation") return;
  if (category == "kernel" || contains(category, "memcpy") || contains(category, "memset")) {
    if (is_communication(lowered(name)))
      events.communicates = true;  // beside computation, on a stream of its own
    else
      events.device.emplace_back(correlation_of(event), span_of(event));
  } else if (contains(category, "runtime") || contains(category, "driver")) {
    if (const auto arguments = event.find("args"); arguments && arguments->find("correlation"))
      events.launches.emplace(correlation_of(event), span_of(event).begin);
  } else if (name.starts_with("ProfilerStep#")) {
    events.steps.push_back({.span = span_of(event), .gradients = {}, .autograd = {kLatest, 0}});
  } else if (name == kAccumulateGrad) {
    events.gradients.push_back(gradient_of(event));
  } else if (name.starts_with("autograd::engine::evaluate_function")) {
    events.autograd.push_back(span_of(event));
  } else if (name.starts_with("Optimizer.step#")) {
    events.updates.push_back(span_of(event));
  } else if (is_communication(name)) {
    events.communicates = true;
  }
}

/// The step that `span` begins in; null outside of all.
TraceStep* step_of(std::vector<TraceStep>& steps, const TraceSpan& span) {
  for (TraceStep& step : steps)
    if (span.begin >= step.span.begin && span.begin < step.span.end) return &step;
  return nullptr;
}

TraceSpan joined(const TraceSpan& left, const TraceSpan& right) {
  return {std::min(left.begin, right.begin), std::max(left.end, right.end)};
}

/// Gives each event to its step; `update_of` tells how long an update takes.
template <typename Function>
std::vector<TraceStep> divided(const Events& events, Function update_of) {
  std::vector<TraceStep> steps = events.steps;
  for (const TraceGradient& gradient : events.gradients)
    if (TraceStep* step = step_of(steps, gradient.span)) {
      step->gradients.push_back(gradient);
      step->autograd = joined(step->autograd, gradient.span);
    }
  for (const TraceSpan& span : events.autograd)
    if (TraceStep* step = step_of(steps, span)) step->autograd = joined(step->autograd, span);
  for (const TraceSpan& span : events.updates)
    if (TraceStep* step = step_of(steps, span)) {
      step->update += update_of(span);
      step->updates = true;
    }
  for (TraceStep& step : steps)
    std::stable_sort(
        step.gradients.begin(), step.gradients.end(),
        [](const TraceGradient& left, const TraceGradient& right) { return left.span.end < right.span.end; });
  return steps;
}

void require_equal_steps(const std::vector<TraceStep>& steps, const std::string& file) {
  const auto bytes_of = [](const TraceStep& step) {
    std::vector<Bytes> bytes;
    for (const TraceGradient& gradient : step.gradients) bytes.push_back(gradient.bytes);
    return bytes;
  };
  require(!steps.empty(), "{}: no ProfilerStep#N, expected a trace with profiler.step() after each iteration", file);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    require(!steps[i].gradients.empty(), "{}: step {} of the trace has no gradient, expected training steps alone",
            file, i + 1);
    require(steps[i].gradients.size() == steps[0].gradients.size(),
            "{}: step {} of the trace has {} gradients and the first has {}, expected steps of one backward pass each",
            file, i + 1, steps[i].gradients.size(), steps[0].gradients.size());
    require(bytes_of(steps[i]) == bytes_of(steps[0]),
            "{}: step {} of the trace has its gradients in another order than the first", file, i + 1);
  }
}

DeviceClock device_clock(const Events& events, const std::string& file) {
  std::vector<DeviceWork> work;
  for (const auto& [correlation, span] : events.device)
    if (const auto launch = events.launches.find(correlation); launch != events.launches.end())
      work.push_back({launch->second, span});
  require(!work.empty(), "{}: work of a GPU without the calls that launched it, expected cuda_runtime events", file);
  return DeviceClock(std::move(work));
}

}  // namespace

PyTorchTrace read_pytorch_trace(const Value& root, const std::string& file) {
  Events events;
  const Value list = root.is_list() ? root : root.at("traceEvents");
  for (const Value& event : list.items()) read_event(event, events);
  PyTorchTrace trace{.steps = {}, .communicates = events.communicates, .on_device = !events.device.empty()};
  if (trace.on_device) {
    const DeviceClock clock = device_clock(events, file);
    trace.steps = divided(events, [&](const TraceSpan& span) { return clock.time_between(span); });
    require_equal_steps(trace.steps, file);
    for (TraceStep& step : trace.steps) clock.move(step);
  } else {
    trace.steps = divided(events, [](const TraceSpan& span) { return span.end - span.begin; });
    require_equal_steps(trace.steps, file);
  }
  return trace;
}

}  // namespace mgbench

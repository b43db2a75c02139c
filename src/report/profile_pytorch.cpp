#include "report/profile_pytorch.h"

#include <algorithm>
#include <optional>

#include "report/element_sizes.h"
#include "report/import/log_text.h"
#include "report/json.h"
#include "report/ready_order.h"
#include "report/statistics.h"

namespace mgbench {
namespace {

constexpr const char* kAccumulate = "torch::autograd::AccumulateGrad";
constexpr double kLatest = 1e16;  // us; 300 years

const ElementSizes kTypes{{"float", 4}, {"double", 8}, {"c10::Half", 2}, {"c10::BFloat16", 2}};

struct Span {
  Seconds begin = 0;
  Seconds end = 0;
};

struct Gradient {
  Span span;
  Bytes bytes = 0;
};

/// One iteration, in the order of time.
struct Step {
  Span span;
  std::vector<Gradient> gradients;  ///< by their ends
  Span autograd{kLatest, 0};        ///< from the first event of the engine to the last
  Seconds update = 0;
  bool updates = false;
};

/// The events that matter.
struct Trace {
  std::vector<Step> steps;
  std::vector<Gradient> gradients;
  std::vector<Span> autograd;
  std::vector<Span> updates;
  bool communicates = false;
};

Span span_of(const Value& event) {
  const Seconds begin = 1e-6 * event.at("ts").number(0, kLatest);
  return {begin, begin + 1e-6 * event.at("dur").number(0, kLatest)};
}

Gradient gradient_of(const Value& event) {
  const auto arguments = event.find("args");
  const auto shapes = arguments ? arguments->find("Input Dims") : std::nullopt;
  const auto types = arguments ? arguments->find("Input type") : std::nullopt;
  if (!shapes || !types || shapes->items().empty() || types->items().empty())
    event.wrong("{} without its shape, expected a trace with record_shapes=True", kAccumulate);
  std::vector<Bytes> shape;
  for (const Value& extent : shapes->items()[0].items()) shape.push_back(extent.integer<Bytes>(0, Bytes{1} << 40));
  return {span_of(event), tensor_bytes(shape, types->items()[0].text(), kTypes, event)};
}

std::string text_at(const Value& event, std::string_view key) {
  const auto value = event.find(key);
  return value && value->is_text() ? value->text() : "";
}

Trace read_events(const Value& events) {
  Trace trace;
  for (const Value& event : events.items()) {
    if (text_at(event, "ph") != "X") continue;
    const std::string name = text_at(event, "name");
    const std::string category = text_at(event, "cat");
    if (category == "kernel" || category == "Kernel")
      event.wrong(
          "a kernel of a GPU: there {} ends when work is queued, not when the gradient is ready, expected a trace of a "
          "CPU; write a CSV for GPUs",
          kAccumulate);
    if (category == "gpu_user_annotation") continue;
    if (name.starts_with("ProfilerStep#"))
      trace.steps.push_back({.span = span_of(event)});
    else if (name == kAccumulate)
      trace.gradients.push_back(gradient_of(event));
    else if (name.starts_with("autograd::engine::evaluate_function"))
      trace.autograd.push_back(span_of(event));
    else if (name.starts_with("Optimizer.step#"))
      trace.updates.push_back(span_of(event));
    else if (contains(name, "all_reduce") || contains(name, "allreduce_") || contains(name, "record_param_comms"))
      trace.communicates = true;
  }
  return trace;
}

/// The step that `span` begins in; none outside of all.
Step* step_of(std::vector<Step>& steps, const Span& span) {
  for (Step& step : steps)
    if (span.begin >= step.span.begin && span.begin < step.span.end) return &step;
  return nullptr;
}

std::vector<Step> divided(Trace trace, const std::string& file) {
  require(!trace.steps.empty(), "{}: no ProfilerStep#N, expected a trace with profiler.step() after each iteration",
          file);
  for (const Gradient& gradient : trace.gradients)
    if (Step* step = step_of(trace.steps, gradient.span)) step->gradients.push_back(gradient);
  for (const Span& span : trace.autograd)
    if (Step* step = step_of(trace.steps, span))
      step->autograd = {std::min(step->autograd.begin, span.begin), std::max(step->autograd.end, span.end)};
  for (const Span& span : trace.updates)
    if (Step* step = step_of(trace.steps, span)) {
      step->update += span.end - span.begin;
      step->updates = true;
    }
  for (Step& step : trace.steps) {
    std::stable_sort(step.gradients.begin(), step.gradients.end(),
                     [](const Gradient& left, const Gradient& right) { return left.span.end < right.span.end; });
    for (const Gradient& gradient : step.gradients)
      step.autograd = {std::min(step.autograd.begin, gradient.span.begin),
                       std::max(step.autograd.end, gradient.span.end)};
  }
  return std::move(trace.steps);
}

void require_equal_steps(const std::vector<Step>& steps, const std::string& file) {
  const auto bytes_of = [](const Step& step) {
    std::vector<Bytes> bytes;
    for (const Gradient& gradient : step.gradients) bytes.push_back(gradient.bytes);
    return bytes;
  };
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

template <typename Function>
Seconds median_over(const std::vector<Step>& steps, Function function) {
  std::vector<double> values;
  for (const Step& step : steps) values.push_back(function(step));
  return median(values);
}

std::string remark(const std::vector<Step>& steps, bool communicates, bool updates, const std::string& file) {
  std::string text = fmt::format(
      "{}: medians over {} step{} of a PyTorch trace, which hold what the profiler costs; forward begins with the "
      "step, "
      "loading of data included; gradients have no names in a trace (grad0 is ready first); {}",
      file, steps.size(), steps.size() == 1 ? "" : "s",
      updates ? "the update is Optimizer.step" : "there is no Optimizer.step, so the update counts as 0");
  if (communicates) text += "; communication ran meanwhile, and backward holds what it took";
  return text;
}

}  // namespace

bool is_pytorch_trace(const std::string& text) {
  return contains(text, kAccumulate);
}

ReadProfile profile_from_pytorch_trace(const std::string& text, const std::string& file) {
  const Document document = parse_json(text, file);
  const Value root = document.root();
  const Trace trace = read_events(root.is_list() ? root : root.at("traceEvents"));
  const std::vector<Step> steps = divided(trace, file);
  require_equal_steps(steps, file);

  std::vector<ReadyGradient> gradients;
  Seconds before = 0;
  for (std::size_t i = 0; i < steps[0].gradients.size(); ++i) {
    const Seconds ready = std::max(
        before, median_over(steps, [&](const Step& step) { return step.gradients[i].span.end - step.autograd.begin; }));
    gradients.push_back(
        {.name = fmt::format("grad{}", i), .bytes = steps[0].gradients[i].bytes, .backward = ready - before});
    before = ready;
  }
  Profile profile = profile_in_forward_order(
      gradients, median_over(steps, [](const Step& step) { return step.autograd.begin - step.span.begin; }));
  const Seconds rest =
      median_over(steps, [](const Step& step) { return step.autograd.end - step.gradients.back().span.end; });
  if (rest > 0)
    profile.steps.insert(profile.steps.begin(), {.name = "rest", .forward = 0, .backward = rest, .tensors = {}});
  const bool updates = std::all_of(steps.begin(), steps.end(), [](const Step& step) { return step.updates; });
  profile.update = updates ? median_over(steps, [](const Step& step) { return step.update; }) : 0;
  return {.profile = std::move(profile), .remarks = {remark(steps, trace.communicates, updates, file)}};
}

}  // namespace mgbench

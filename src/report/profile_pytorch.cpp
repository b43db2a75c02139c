#include "report/profile_pytorch.h"

#include <algorithm>

#include "report/import/log_text.h"
#include "report/json.h"
#include "report/pytorch_trace.h"
#include "report/ready_order.h"
#include "report/statistics.h"

namespace mgbench {
namespace {

template <typename Function>
Seconds median_over(const std::vector<TraceStep>& steps, Function function) {
  std::vector<double> values;
  for (const TraceStep& step : steps) values.push_back(function(step));
  return median(values);
}

std::string remark(const PyTorchTrace& trace, bool updates, const std::string& file) {
  std::string text = fmt::format(
      "{}: medians over {} step{} of a PyTorch trace{}, which hold what the profiler costs; forward begins with the "
      "{}; gradients have no names in a trace (grad0 is ready first); {}",
      file, trace.steps.size(), trace.steps.size() == 1 ? "" : "s", trace.on_device ? ", on the GPU" : "",
      trace.on_device ? "step's first work on it" : "step, loading of data included",
      updates ? "the update is Optimizer.step" : "there is no Optimizer.step, so the update counts as 0");
  if (trace.communicates) text += "; communication ran meanwhile, and backward holds what it took";
  return text;
}

}  // namespace

bool is_pytorch_trace(const std::string& text) {
  return contains(text, kAccumulateGrad);
}

ReadProfile profile_from_pytorch_trace(const std::string& text, const std::string& file) {
  const Document document = parse_json(text, file);
  const PyTorchTrace trace = read_pytorch_trace(document.root(), file);
  const std::vector<TraceStep>& steps = trace.steps;

  std::vector<ReadyGradient> gradients;
  Seconds before = 0;
  for (std::size_t i = 0; i < steps[0].gradients.size(); ++i) {
    const Seconds ready = std::max(before, median_over(steps, [&](const TraceStep& step) {
                                     return step.gradients[i].span.end - step.autograd.begin;
                                   }));
    gradients.push_back(
        {.name = fmt::format("grad{}", i), .bytes = steps[0].gradients[i].bytes, .backward = ready - before});
    before = ready;
  }
  Profile profile = profile_in_forward_order(
      gradients, median_over(steps, [](const TraceStep& step) { return step.autograd.begin - step.span.begin; }));
  const Seconds rest =
      median_over(steps, [](const TraceStep& step) { return step.autograd.end - step.gradients.back().span.end; });
  if (rest > 0)
    profile.steps.insert(profile.steps.begin(), {.name = "rest", .forward = 0, .backward = rest, .tensors = {}});
  const bool updates = std::all_of(steps.begin(), steps.end(), [](const TraceStep& step) { return step.updates; });
  profile.update = updates ? median_over(steps, [](const TraceStep& step) { return step.update; }) : 0;
  return {.profile = std::move(profile), .remarks = {remark(trace, updates, file)}};
}

}  // namespace mgbench

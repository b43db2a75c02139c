#include "report/export_parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "planner/timeline.h"
#include "report/plan_report.h"
#include "report/table.h"
#include "report/tensor_groups.h"

namespace mgbench {
namespace {

constexpr std::size_t kWidth = 110;
constexpr std::size_t kIndent = 2;

std::string milliseconds(Seconds seconds) {
  const TimeScale scale(seconds);
  return scale(seconds) + " " + scale.unit();
}

}  // namespace

std::string comment(const std::string& text) {
  std::string result;
  const std::string lines = wrap(text, kWidth, kIndent);
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = lines.find('\n', begin);
    result += "# " + lines.substr(begin, end - begin) + '\n';
    begin = end + 1;
  }
  return result;
}

std::string heading(const ExportSource& source, const std::string& title, const PredictedPlan& optimum) {
  const Profile& profile = source.profile;
  return comment(title) +
         comment(fmt::format(
             "Holds for {} ranks with {} ({}; allreduce of {}), and for the profile {} ({} on {}, batch "
             "{}: forward {}, backward {}, update {}, {} tensors, {}).",
             source.ranks, source.cost_name, describe(source.cost),
             source.library.empty() ? "no particular library" : source.library, source.profile_file, profile.model,
             profile.backend, profile.batch, format_seconds(profile.forward()), format_seconds(profile.backward()),
             format_seconds(profile.update), ready_tensors(profile).size(), format_bytes(profile.bytes()))) +
         comment(fmt::format("The optimum over all groupings: {} an iteration, {} {}.", milliseconds(optimum.iteration),
                             optimum.plan.groups(), optimum.plan.groups() == 1 ? "message" : "messages"));
}

std::string prediction(const PredictedPlan& predicted, const PredictedPlan& optimum) {
  return fmt::format("predicted {} an iteration, {} {}, {} % against the optimum", milliseconds(predicted.iteration),
                     predicted.plan.groups(), predicted.plan.groups() == 1 ? "message" : "messages",
                     signed_percent(predicted.iteration / optimum.iteration - 1));
}

PredictedPlan plan_or_optimum(const ExportSource& source, const PredictedPlan& optimum) {
  if (!source.plan) return optimum;
  const Schedule schedule = make_schedule(source.profile, source.plan->plan);
  return {source.plan->plan, predict(source.profile, schedule, source.cost).iteration};
}

std::string given_plan(const ExportSource& source, const std::string& tool, const PredictedPlan& optimum) {
  if (!source.plan) return "";
  return comment(fmt::format("The plan {} ({}): {}.", source.plan->name, source.plan->file,
                             prediction(plan_or_optimum(source, optimum), optimum))) +
         comment(fmt::format("{} cannot be told an arbitrary plan: what follows is the nearest setting that it can.",
                             tool));
}

std::string setting_name(const ExportSource& source, const ToolSetting& setting, const std::string& word) {
  if (!source.plan) return setting.is_default ? "The best is that default" : "The best " + word;
  return setting.is_default ? "The nearest to the plan is that default"
                            : fmt::format("The nearest {} to the plan", word);
}

std::string difference(const ExportSource& source, const ToolSetting& setting) {
  if (!source.plan) return "";
  if (setting.different == 0) return "; the plan itself";
  return fmt::format("; {} between messages differ{} from the plan's",
                     setting.different == 1 ? "1 boundary" : fmt::format("{} boundaries", setting.different),
                     setting.different == 1 ? "s" : "");
}

std::string prediction(const ToolSetting& setting, const PredictedPlan& optimum) {
  std::string text = prediction(setting.best, optimum);
  if (!setting.all_tried) text += fmt::format(" (the best of {} limits at least 0.5 % apart)", setting.tried);
  return text;
}

std::vector<Bytes> message_sizes(const Profile& profile, const MergePlan& plan) {
  std::vector<Bytes> sizes;
  for (const Message& message : make_schedule(profile, plan)) sizes.push_back(message.arena.size());
  return sizes;
}

std::vector<std::string> warnings(const ExportSource& source, const std::string& tool,
                                  const std::vector<std::string>& libraries) {
  std::vector<std::string> result;
  if (!source.library.empty() && std::find(libraries.begin(), libraries.end(), source.library) == libraries.end())
    result.push_back(fmt::format(
        "the cost is that of {}'s allreduce, and {} calls {}'s: measure that one (tools/calibrate_torch.py)",
        source.library, tool, fmt::join(libraries, "'s or ")));
  if (!source.emulated.empty())
    result.push_back(fmt::format("the calibration is of an emulated interconnect, {}", source.emulated));
  return result;
}

std::string comment_warnings(const std::vector<std::string>& warnings) {
  std::string result;
  for (const std::string& warning : warnings) result += comment("WARNING: " + warning + ".");
  return result;
}

Json json_form(const Profile& profile, const PredictedPlan& predicted, const PredictedPlan& optimum) {
  return {{"predicted_iteration_seconds", predicted.iteration},
          {"against_optimum", predicted.iteration / optimum.iteration - 1},
          {"messages", predicted.plan.groups()},
          {"message_bytes", message_sizes(profile, predicted.plan)}};
}

Json json_form(const ExportSource& source, const ToolSetting& setting, const PredictedPlan& optimum) {
  Json form = json_form(source.profile, setting.best, optimum);
  if (source.plan) form["boundaries_unlike_plan"] = setting.different;
  return form;
}

std::vector<std::vector<std::string>> group_names(const Profile& profile, const MergePlan& plan) {
  std::vector<std::vector<std::string>> names;
  for (const std::vector<Tensor>& group : tensor_groups(profile, plan)) {
    names.emplace_back();
    for (const Tensor& tensor : group) names.back().push_back(tensor.name);
  }
  return names;
}

void require_whole_elements(const ExportSource& source, const std::string& tool) {
  for (const Profile::Step& step : source.profile.steps)
    for (const Tensor& tensor : step.tensors)
      require(tensor.bytes % source.element == 0,
              "{}: tensor '{}' has {} bytes, which is no whole number of elements of {} bytes; {} counts elements, "
              "expected their size as --element-bytes",
              source.profile_file, tensor.name, tensor.bytes, source.element, tool);
}

}  // namespace mgbench

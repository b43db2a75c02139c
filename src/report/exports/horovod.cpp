#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "planner/strategy.h"
#include "report/export_parts.h"

namespace mgbench::exports_entries {
namespace {

constexpr Bytes kMebibyte = Bytes{1} << 20;
const std::vector<std::string> kLibraries = {"MPI", "NCCL", "gloo"};

constexpr const char* kHolds =
    "For Horovod 0.21 and later without autotuning (default: 128 MiB, 1 ms), built for the library above. Predicted "
    "are the "
    "groups alone, without ticks of the cycle, negotiation and copies into the fusion buffer.";

Bytes largest_message(const ExportSource& source, const PredictedPlan& predicted) {
  const std::vector<Bytes> sizes = message_sizes(source.profile, predicted.plan);
  return *std::max_element(sizes.begin(), sizes.end());
}

/// Threshold that fuses every group whole.
Bytes group_threshold(const ExportSource& source, const PredictedPlan& grouped) {
  return (largest_message(source, grouped) + kMebibyte - 1) / kMebibyte * kMebibyte;
}

/// Empty where names are not unique: groups are told by name.
std::vector<std::vector<std::string>> groups(const ExportSource& source, const PredictedPlan& grouped) {
  auto result = group_names(source.profile, grouped.plan);
  std::set<std::string> names;
  for (const auto& group : result)
    for (const std::string& name : group)
      if (!names.insert(name).second) return {};
  return result;
}

std::string python_groups(const ExportSource& source, const PredictedPlan& grouped, const PredictedPlan& best) {
  const auto named = groups(source, grouped);
  if (named.empty()) return comment("No groups: the names of the profile's tensors are not unique.");
  std::string result = comment(
      fmt::format("Or the {} itself, as groups (0.21.3 and later; {}): in the environment "
                  "HOROVOD_FUSION_THRESHOLD={} and HOROVOD_DISABLE_GROUP_FUSION=1, which keeps groups apart, "
                  "and in Python, for names as in model.named_parameters():",
                  source.plan ? "plan" : "optimum", prediction(grouped, best), group_threshold(source, grouped)));
  result += "groups = [\n";
  for (const auto& group : named)
    result += fmt::format("    {},\n", Json(group).dump(-1, ' ', true, Json::error_handler_t::replace));
  result +=
      "]\n"
      "parameters = dict(model.named_parameters())\n"
      "optimizer = hvd.DistributedOptimizer(\n"
      "    optimizer, named_parameters=model.named_parameters(),\n"
      "    groups=[[parameters[name] for name in group] for group in groups])\n";
  return result;
}

std::string text(const ExportSource& source) {
  const PredictedPlan best = optimum(source.profile, source.cost);
  const ToolSetting setting =
      best_horovod_threshold(source.profile, source.cost, source.horovod_cycle, kNotWorthIt, source.wanted());
  const double cycle = 1e3 * (setting.is_default ? StrategyOptions{}.horovod_cycle : source.horovod_cycle);
  return heading(source, "Horovod: fusion threshold, in bytes (Horovod rounds down to whole MiB); cycle in ms.", best) +
         given_plan(source, "Horovod's threshold", best) +
         comment(fmt::format("Horovod's default: {}.", prediction(setting.by_default, best))) +
         comment(fmt::format("{}: {}{}.", setting_name(source, setting, "threshold"), prediction(setting, best),
                             difference(source, setting))) +
         comment(kHolds) + comment_warnings(warnings(source, "Horovod", kLibraries)) +
         fmt::format("export HOROVOD_FUSION_THRESHOLD={} HOROVOD_CYCLE_TIME={:g}\n", setting.limit, cycle) +
         comment(fmt::format("The same: horovodrun --fusion-threshold-mb {} --cycle-time-ms {:g} ...",
                             setting.limit / kMebibyte, cycle)) +
         python_groups(source, plan_or_optimum(source, best), best);
}

Json json(const ExportSource& source) {
  const PredictedPlan best = optimum(source.profile, source.cost);
  const ToolSetting setting =
      best_horovod_threshold(source.profile, source.cost, source.horovod_cycle, kNotWorthIt, source.wanted());
  Json threshold = {{"fusion_threshold_bytes", setting.limit},
                    {"cycle_time_seconds", setting.is_default ? StrategyOptions{}.horovod_cycle : source.horovod_cycle},
                    {"is_default", setting.is_default}};
  threshold.update(json_form(source, setting, best));
  threshold["all_thresholds_tried"] = setting.all_tried;
  return {{"default", json_form(source.profile, setting.by_default, best)},
          {"threshold", std::move(threshold)},
          {"groups", groups(source, plan_or_optimum(source, best))},
          {"groups_fusion_threshold_bytes", group_threshold(source, plan_or_optimum(source, best))},
          {"holds", kHolds},
          {"warnings", warnings(source, "Horovod", kLibraries)}};
}

}  // namespace

ExportEntry horovod() {
  return {"horovod", "Horovod: HOROVOD_FUSION_THRESHOLD, and groups for DistributedOptimizer", text, json};
}

}  // namespace mgbench::exports_entries

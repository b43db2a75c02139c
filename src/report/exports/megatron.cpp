#include <fmt/format.h>

#include "report/export_parts.h"

namespace mgbench::exports_entries {
namespace {

const std::vector<std::string> kLibraries = {"NCCL"};

constexpr const char* kHolds =
    "For versions of Megatron-LM that have --ddp-bucket-size, where these ranks are the data-parallel ones, on the "
    "first "
    "pipeline stage (the others do not cut), and where gradients become ready in the reverse of the order in which "
    "parameters are registered, which is how Megatron-LM fills buckets. Without --overlap-grad-reduce there is one "
    "bucket, "
    "whatever the size.";
constexpr const char* kNone =
    "Predictions are for training without --use-distributed-optimizer, where a bucket is one allreduce. With it "
    "buckets are "
    "padded and reduce-scattered, and parameters are gathered later: the cost above is not theirs, so there is no "
    "prediction.";

std::string text(const ExportSource& source) {
  require_whole_elements(source, "Megatron-LM");
  const PredictedPlan best = optimum(source.profile, source.cost);
  const ToolSetting setting =
      best_megatron_bucket(source.profile, source.cost, source.element, source.ranks, kNotWorthIt, source.wanted());
  return heading(source,
                 fmt::format("Megatron-LM: --ddp-bucket-size, in parameters, whose gradients have {} bytes each "
                             "(--element-bytes for others).",
                             source.element),
                 best) +
         given_plan(source, "Megatron-LM", best) +
         comment(fmt::format(
             "Megatron-LM's default size with --overlap-grad-reduce (the larger of 4e7 and 1e6 a rank): {}.",
             prediction(setting.by_default, best))) +
         comment(fmt::format("{}: {}{}.", setting_name(source, setting, "size"), prediction(setting, best),
                             difference(source, setting))) +
         comment(kNone) + comment(kHolds) + comment_warnings(warnings(source, "Megatron-LM", kLibraries)) +
         fmt::format("--overlap-grad-reduce --ddp-bucket-size {}\n", setting.limit / source.element);
}

Json json(const ExportSource& source) {
  require_whole_elements(source, "Megatron-LM");
  const PredictedPlan best = optimum(source.profile, source.cost);
  const ToolSetting setting =
      best_megatron_bucket(source.profile, source.cost, source.element, source.ranks, kNotWorthIt, source.wanted());
  Json size = {{"ddp_bucket_size", setting.limit / source.element}, {"is_default", setting.is_default}};
  size.update(json_form(source, setting, best));
  size["all_sizes_tried"] = setting.all_tried;
  return {{"default", json_form(source.profile, setting.by_default, best)},
          {"without_distributed_optimizer", std::move(size)},
          {"no_prediction_otherwise", kNone},
          {"holds", kHolds},
          {"warnings", warnings(source, "Megatron-LM", kLibraries)}};
}

}  // namespace

ExportEntry megatron() {
  return {"megatron", "Megatron-LM: --ddp-bucket-size", text, json};
}

}  // namespace mgbench::exports_entries

#include <fmt/format.h>

#include "report/export_parts.h"

namespace mgbench::exports_entries {
namespace {

const std::vector<std::string> kLibraries = {"NCCL"};

constexpr const char* kHolds =
    "For ZeRO stages 1 and 2, in DeepSpeed versions that implement both in stage_1_and_2.py, without offloading, with "
    "one "
    "element type and no gradient accumulation. A bucket closes before the tensor with which it would exceed the size. "
    "The "
    "all-gather of the updated parameters is not in the prediction.";
constexpr const char* kNone =
    "Predictions are for reduce_scatter=false, where a bucket is one allreduce. With reduce_scatter=true (DeepSpeed's "
    "default) buckets are reduced to the ranks that own their parts, and stage 3 scatters: the cost above is not "
    "theirs, "
    "so there is no prediction. Stage 0 does not heed reduce_bucket_size: it reduces after the whole backward pass.";

std::string text(const ExportSource& source) {
  require_whole_elements(source, "DeepSpeed");
  const PredictedPlan best = optimum(source.profile, source.cost);
  const ToolSetting setting =
      best_deepspeed_bucket(source.profile, source.cost, source.element, kNotWorthIt, source.wanted());
  return heading(source,
                 fmt::format("DeepSpeed: reduce_bucket_size, in elements of {} bytes (--element-bytes for others).",
                             source.element),
                 best) +
         given_plan(source, "DeepSpeed", best) +
         comment(fmt::format("DeepSpeed's default size (5e8 elements): {}.", prediction(setting.by_default, best))) +
         comment(fmt::format("{}: {}{}.", setting_name(source, setting, "size"), prediction(setting, best),
                             difference(source, setting))) +
         comment(kNone) + comment(kHolds) + comment_warnings(warnings(source, "DeepSpeed", kLibraries)) +
         fmt::format(
             "{{\n"
             "  \"zero_optimization\": {{\n"
             "    \"stage\": 1,\n"
             "    \"reduce_scatter\": false,\n"
             "    \"overlap_comm\": true,\n"
             "    \"contiguous_gradients\": true,\n"
             "    \"reduce_bucket_size\": {}\n"
             "  }}\n"
             "}}\n",
             setting.limit / source.element);
}

Json json(const ExportSource& source) {
  require_whole_elements(source, "DeepSpeed");
  const PredictedPlan best = optimum(source.profile, source.cost);
  const ToolSetting setting =
      best_deepspeed_bucket(source.profile, source.cost, source.element, kNotWorthIt, source.wanted());
  Json size = {{"reduce_bucket_size", setting.limit / source.element}, {"is_default", setting.is_default}};
  size.update(json_form(source, setting, best));
  size["all_sizes_tried"] = setting.all_tried;
  return {{"default", json_form(source.profile, setting.by_default, best)},
          {"stages_1_and_2_without_reduce_scatter", std::move(size)},
          {"no_prediction_otherwise", kNone},
          {"holds", kHolds},
          {"warnings", warnings(source, "DeepSpeed", kLibraries)}};
}

}  // namespace

ExportEntry deepspeed() {
  return {"deepspeed", "DeepSpeed ZeRO stages 1 and 2: reduce_bucket_size", text, json};
}

}  // namespace mgbench::exports_entries

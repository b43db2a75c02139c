#include <fmt/format.h>

#include "report/export_parts.h"
#include "report/mebibytes.h"

namespace mgbench::exports_entries {
namespace {

const std::vector<std::string> kLibraries = {"NCCL", "gloo"};

constexpr const char* kHolds =
    "Holds from the second iteration on, when DDP has ordered its buckets by when gradients became ready. With "
    "find_unused_parameters=True and without static_graph=True it keeps the reverse of the order of registration, and "
    "it "
    "never mixes element types in a bucket: there this does not hold.";

struct Settings {
  PredictedPlan best;
  ToolSetting newer;
  ToolSetting older;
};

Settings settings(const ExportSource& source) {
  return {optimum(source.profile, source.cost),
          best_ddp_cap(source.profile, source.cost, DdpFirstBucket::follows, kNotWorthIt, source.wanted()),
          best_ddp_cap(source.profile, source.cost, DdpFirstBucket::stays, kNotWorthIt, source.wanted())};
}

/// As an argument in Python; empty: not to be set.
std::string cap(const ToolSetting& setting) {
  return setting.is_default ? "" : shortest_mebibytes(setting.limit, setting.most);
}

std::string text(const ExportSource& source) {
  const Settings found = settings(source);
  std::string result = heading(source, "PyTorch DistributedDataParallel: bucket_cap_mb, in MiB.", found.best);
  result += given_plan(source, "DDP", found.best);
  result += comment(fmt::format("DDP's default (1 MiB for the first bucket, 25 MiB for the others): {}.",
                                prediction(found.newer.by_default, found.best)));
  const auto describe_setting = [&](const ToolSetting& setting, const std::string& rule) {
    result +=
        comment(fmt::format("{}: {}; {}{}.", rule, setting.is_default ? "the default" : "bucket_cap_mb=" + cap(setting),
                            prediction(setting, found.best), difference(source, setting)));
  };
  describe_setting(found.newer,
                   "Newer PyTorch, where a cap that is set holds for the first bucket too (pull request 121640, 2024)");
  describe_setting(found.older, "Older PyTorch, where the first bucket stays at 1 MiB (1.13, for one)");
  result += comment(
      "The signature tells which PyTorch this is. A list of caps (bucket_cap_mb_list) stands in PyTorch's development "
      "sources; it is not exported here.");
  result += comment(kHolds);
  result += comment_warnings(warnings(source, "DDP", kLibraries));
  result += fmt::format(
      "import inspect\n"
      "from torch.nn.parallel import DistributedDataParallel\n"
      "\n"
      "newer = inspect.signature(DistributedDataParallel).parameters[\"bucket_cap_mb\"].default is None\n"
      "model = DistributedDataParallel(model, bucket_cap_mb={} if newer else {})\n",
      found.newer.is_default ? "None" : cap(found.newer), found.older.is_default ? "25" : cap(found.older));
  return result;
}

Json json(const ExportSource& source) {
  const Settings found = settings(source);
  const auto form = [&](const ToolSetting& setting) {
    Json result = {{"bucket_cap_mb", setting.is_default ? Json() : Json(std::stod(cap(setting)))},
                   {"is_default", setting.is_default}};
    result.update(json_form(source, setting, found.best));
    result["all_caps_tried"] = setting.all_tried;
    return result;
  };
  return {{"default", json_form(source.profile, found.newer.by_default, found.best)},
          {"first_bucket_follows", form(found.newer)},
          {"first_bucket_stays_1_mib", form(found.older)},
          {"holds", kHolds},
          {"warnings", warnings(source, "DDP", kLibraries)}};
}

}  // namespace

ExportEntry ddp() {
  return {"ddp", "PyTorch DistributedDataParallel: bucket_cap_mb", text, json};
}

}  // namespace mgbench::exports_entries

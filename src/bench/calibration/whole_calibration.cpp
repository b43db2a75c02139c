#include "bench/calibration/whole_calibration.h"

#include <algorithm>

#include "bench/clock.h"
#include "bench/files/files.h"
#include "bench/host/environment.h"
#include "bench/training/automatic_communicator.h"
#include "bench/training/workload.h"
#include "bench/watch/interruption.h"
#include "models/model.h"

namespace mgbench {
namespace {

constexpr double kChoiceShare = 0.1;  // of the budget

/// `layout` of some of the ranks: "one node"; empty: all of them.
std::filesystem::path save_one(const Calibration& calibration, std::string layout,
                               const std::filesystem::path& folder) {
  std::replace(layout.begin(), layout.end(), ' ', '-');
  const std::string name = fmt::format("{}-calibrate-{}ranks{}{}", utc_now_for_file_name(), calibration.ranks,
                                       layout.empty() ? "" : "-", layout);
  return write_new_file(folder, name, ".yaml", to_yaml(calibration));
}

}  // namespace

Bytes largest_gradients() {
  std::int64_t parameters = 0;
  for (const ModelEntry& entry : models()) parameters = std::max(parameters, entry.make().parameters());
  return static_cast<Bytes>(sizeof(float)) * parameters;
}

WholeCalibration measure_whole_calibration(const RunConfig& config, Session& session, const Placement& placement,
                                           Seconds budget, Progress& progress) {
  ProcessGroup& group = session.group;
  stop_if_told(group, "calibrating");
  const Seconds end = steady_clock().now() + budget;
  WholeCalibration whole;
  RunConfig chosen = config;
  if (config.chooses_communicator() && uses_gpus(config)) {
    chosen.communicator = "nccl";
    progress.remark("messages travel by nccl, since there are GPUs here (--communicator)");
  } else if (config.chooses_communicator()) {
    progress.stage("choosing how messages travel");
    whole.choice =
        choose_communicator(group, placement.threads, {.budget = kChoiceShare * budget, .seed = config.seed}, progress);
    chosen.communicator = whole.choice->chosen;
  }
  const std::optional<CostModel> cost = emulated_cost(config);
  Placement placed = placement;
  const GradientArena arena = arena_without_network(chosen, group, largest_gradients(), placed);
  if (const std::string remark = far_devices_remark(group, placed); !remark.empty()) progress.remark(remark);
  const auto communicator = make_communicator(chosen, group, cost, config.emulated_moves_data, arena);
  std::map<std::string, std::string> facts = communicator_facts(chosen, group, arena, progress);
  const Seconds left = std::max(end - steady_clock().now(), 0.5) / (config.by_ranks ? 2 : 1);
  whole.all = calibrate(chosen, group, *communicator, arena, {.seconds = left}, progress);
  if (config.by_ranks) whole.parts = calibrate_subgroups(chosen, group, placement.host, arena, left, progress);
  progress.finish();

  if (whole.choice) whole.all.provenance["communicator"] = whole.choice->reason;
  const Environment environment = collect_environment(session, placed);
  whole.all.provenance.insert(environment.begin(), environment.end());
  whole.all.provenance.merge(facts);
  for (SubgroupCalibration& part : whole.parts)
    part.calibration.provenance.insert(environment.begin(), environment.end());
  return whole;
}

std::vector<std::filesystem::path> save(const WholeCalibration& whole, const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const SubgroupCalibration& part : whole.parts) paths.push_back(save_one(part.calibration, part.layout, folder));
  paths.push_back(save_one(whole.all, "", folder));
  return paths;
}

}  // namespace mgbench

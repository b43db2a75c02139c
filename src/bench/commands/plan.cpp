#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "bench/command.h"
#include "bench/files/files.h"
#include "bench/files/plan_files.h"
#include "bench/host/environment.h"
#include "bench/options.h"
#include "planner/split_plan.h"
#include "planner/strategy.h"
#include "report/calibration.h"
#include "report/export.h"
#include "report/interconnect.h"
#include "report/plan_file.h"
#include "report/plan_report.h"
#include "report/profile_reader.h"
#include "report/tensor_groups.h"

namespace mgbench::commands_entries {
namespace {

void add_options(CLI::App& app, RunConfig& config) {
  app.add_option("--profile", config.profile,
                 "Profile to plan for (mgbench profile, CSV, a PyTorch trace, a Horovod timeline)")
      ->type_name("FILE")
      ->required();
  app.add_option("--calibration", config.calibration, "Calibration to plan with (mgbench calibrate)")
      ->type_name("FILE");
  app.add_option("--interconnect", config.interconnect,
                 "Interconnect to plan with: a file, or a name of configs/interconnects")
      ->type_name("INTERCONNECT|FILE");
  app.add_option("--ranks", config.planned_ranks, "Number of ranks to plan for")->type_name("P");
  add_strategy_options(app, config);
  add_plan_option(app, config);
  app.add_option("-o,--output", config.plan_output, "Save the plan of the one strategy that --strategy names here")
      ->type_name("DIR");
  app.add_flag("--split-tensors", config.split_tensors, "Say what the exact plan would gain if tensors could be split");
  app.add_option("--export", config.export_name,
                 fmt::format("Print the settings of a tool in place of plans: {}", fmt::join(exports().names(), ", ")))
      ->type_name("TOOL");
  app.add_option("--element-bytes", config.element_bytes,
                 "Bytes of a gradient's element, for exports to tools that count elements")
      ->type_name("N")
      ->capture_default_str();
  add_json_option(app, config);
}

/// A cost, and for what it holds.
struct PlanningCost {
  CostModel cost;
  std::string name;
  int ranks = 0;
  std::string library;   ///< empty: of no particular one
  std::string emulated;  ///< empty: a real interconnect
};

PlanningCost planning_cost(const RunConfig& config) {
  require(config.calibration.empty() != config.interconnect.empty(),
          "plan: expected --calibration FILE, or --interconnect FILE with --ranks P");
  if (!config.interconnect.empty()) {
    require(config.planned_ranks.has_value(),
            "plan: --interconnect needs --ranks P: its costs depend on the number of ranks");
    const auto path = find_config("interconnects", config.interconnect);
    const Interconnect interconnect = interconnect_from_yaml(read_file(path), path.string());
    return {.cost = interconnect.cost(*config.planned_ranks),
            .name = "the interconnect " + interconnect.name,
            .ranks = *config.planned_ranks};
  }
  const Calibration calibration = calibration_from_yaml(read_file(config.calibration), config.calibration);
  require_ranks(calibration, config.calibration, config.planned_ranks.value_or(calibration.ranks));
  return {.cost = calibration.planning_cost(),
          .name = "the calibration " + config.calibration,
          .ranks = calibration.ranks,
          .library = calibration.library,
          .emulated = calibration.emulated};
}

ReadProfile planned_profile(const RunConfig& config) {
  return read_profile_text(read_file(config.profile), config.profile);
}

ExportSource export_source(const RunConfig& config, const Profile& profile) {
  const PlanningCost planning = planning_cost(config);
  std::optional<GivenPlan> given;
  for (const PlanFile& plan : given_plans(config, profile)) given = {plan.name, config.plans.front(), plan.plan()};
  return {.profile = profile,
          .profile_file = config.profile,
          .cost = planning.cost,
          .cost_name = planning.name,
          .library = planning.library,
          .emulated = planning.emulated,
          .ranks = planning.ranks,
          .horovod_cycle = config.strategy_options.horovod_cycle,
          .element = config.element_bytes,
          .plan = std::move(given)};
}

void check_export(const RunConfig& config) {
  exports().find(config.export_name);
  require(!config.json, "plan: --export and --json do not go together; for values: --export json");
  require(config.plans.size() <= 1, "plan: --export takes one --plan, not {}", config.plans.size());
  require(config.plan_output.empty(), "plan: -o saves a plan, and --export prints settings; expected one of them");
  require(config.strategy == "all", "plan: --export prints the settings of a tool and takes no --strategy");
  const StrategyOptions& given = config.strategy_options;
  const StrategyOptions tool;
  require(given.ddp_first_bucket == tool.ddp_first_bucket && given.ddp_bucket == tool.ddp_bucket &&
              given.horovod_threshold == tool.horovod_threshold,
          "plan: --export finds sizes itself and takes no --ddp-first-bucket, --ddp-bucket and --horovod-threshold");
  require(!config.split_tensors, "plan: no tool splits tensors: --split-tensors and --export do not go together");
  require(config.element_bytes >= 1 && config.element_bytes <= 16,
          "--element-bytes {}: expected the size of a number, from 1 to 16 bytes", config.element_bytes);
}

void check(const RunConfig& config) {
  if (!config.export_name.empty()) check_export(config);
  require(!config.export_name.empty() || config.element_bytes == RunConfig().element_bytes,
          "plan: --element-bytes is for --export");
  given_plans(config, planned_profile(config).profile);
  planning_cost(config);
  const std::size_t chosen = chosen_strategies(config).size();
  require(config.plan_output.empty() || chosen == 1,
          "plan: -o saves the plan of one strategy, and --strategy {} names {}; expected one, as in --strategy mg-wfbp",
          config.strategy, chosen);
}

/// Says where.
void save(const RunConfig& config, const Profile& profile, const PlanningCost& planning,
          const PlannedStrategy& planned) {
  require_writable_folder(config.plan_output);
  const PlanFile plan{.name = planned.strategy + "-plan",
                      .model = profile.model,
                      .origin = planned.strategy + " with " + planning.name,
                      .emulated = planning.emulated,
                      .command = config.command,
                      .date = utc_now(),
                      .ranks = planning.ranks,
                      .predicted = planned.timeline.iteration,
                      .measured = std::nullopt,
                      .groups = tensor_groups(profile, planned.plan)};
  const auto path = write_new_file(
      config.plan_output, fmt::format("{}-plan-{}", utc_now_for_file_name(), planned.strategy), ".yaml", to_yaml(plan));
  fmt::print(stderr, "mgbench: plan: {}\n", path.string());
}

ExitCode execute(const RunConfig& config, Session*) {
  const ReadProfile read = planned_profile(config);
  const Profile& profile = read.profile;
  for (const std::string& remark : read.remarks) fmt::print(stderr, "mgbench: {}\n", remark);
  if (!config.export_name.empty()) {
    fmt::print("{}", exports().find(config.export_name).text(export_source(config, profile)));
    return ExitCode::ok;
  }
  const PlanningCost planning = planning_cost(config);
  const CostModel& cost = planning.cost;
  std::vector<PlannedStrategy> planned;
  for (const StrategyEntry* strategy : chosen_strategies(config)) {
    const MergePlan plan = strategy->plan(profile, cost, config.strategy_options);
    planned.push_back({strategy->name, plan, predict(profile, make_schedule(profile, plan), cost)});
  }
  if (!config.plan_output.empty()) save(config, profile, planning, planned.front());
  for (const PlanFile& given : given_plans(config, profile))
    planned.push_back({given.name, given.plan(), predict(profile, make_schedule(profile, given.plan()), cost)});
  const std::optional<SplitPlan> split = config.split_tensors ? std::optional(best_split(profile, cost)) : std::nullopt;
  if (config.json)
    fmt::print("{}\n", plans_to_json(profile, cost, planned, split));
  else
    fmt::print("{}\n", format_plans(profile, cost, planned, split));
  return ExitCode::ok;
}

}  // namespace

CommandEntry plan() {
  return {.name = "plan",
          .summary = "Compute merge plans from a profile and a calibration, predict the iteration, and export settings",
          .add_options = add_options,
          .check = check,
          .memory_per_rank = {},
          .execute = execute};
}

}  // namespace mgbench::commands_entries

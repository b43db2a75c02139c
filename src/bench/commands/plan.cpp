#include <fmt/format.h>

#include "bench/command.h"
#include "bench/files.h"
#include "bench/options.h"
#include "planner/strategy.h"
#include "report/calibration.h"
#include "report/interconnect.h"
#include "report/plan_report.h"
#include "report/profile_reader.h"

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
      ->type_name("FILE");
  app.add_option("--ranks", config.planned_ranks, "Number of ranks to plan for")->type_name("P");
  add_strategy_options(app, config);
  add_json_option(app, config);
}

CostModel planning_cost(const RunConfig& config) {
  require(config.calibration.empty() != config.interconnect.empty(),
          "plan: expected --calibration FILE, or --interconnect FILE with --ranks P");
  if (!config.interconnect.empty()) {
    require(config.planned_ranks.has_value(),
            "plan: --interconnect needs --ranks P: its costs depend on the number of ranks");
    const auto path = find_config("interconnects", config.interconnect);
    return interconnect_from_yaml(read_file(path), path.string()).cost(*config.planned_ranks);
  }
  const Calibration calibration = calibration_from_yaml(read_file(config.calibration), config.calibration);
  require_ranks(calibration, config.calibration, config.planned_ranks.value_or(calibration.ranks));
  return calibration.planning_cost();
}

ReadProfile planned_profile(const RunConfig& config) {
  return read_profile_text(read_file(config.profile), config.profile);
}

void check(const RunConfig& config) {
  planned_profile(config);
  planning_cost(config);
  chosen_strategies(config);
}

ExitCode execute(const RunConfig& config, Session*) {
  const ReadProfile read = planned_profile(config);
  const Profile& profile = read.profile;
  const CostModel cost = planning_cost(config);
  std::vector<PlannedStrategy> planned;
  for (const StrategyEntry* strategy : chosen_strategies(config)) {
    const MergePlan plan = strategy->plan(profile, cost, config.strategy_options);
    planned.push_back({strategy->name, plan, predict(profile, make_schedule(profile, plan), cost)});
  }
  for (const std::string& remark : read.remarks) fmt::print(stderr, "mgbench: {}\n", remark);
  if (config.json)
    fmt::print("{}\n", plans_to_json(profile, cost, planned));
  else
    fmt::print("{}\n", format_plans(profile, cost, planned));
  return ExitCode::ok;
}

}  // namespace

CommandEntry plan() {
  return {.name = "plan",
          .summary = "Compute merge plans from a profile and a calibration, and predict the iteration",
          .add_options = add_options,
          .check = check,
          .memory_per_rank = {},
          .execute = execute};
}

}  // namespace mgbench::commands_entries

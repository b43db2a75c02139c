#include <fmt/format.h>

#include <algorithm>

#include "bench/command.h"
#include "bench/environment.h"
#include "bench/files.h"
#include "bench/options.h"
#include "bench/plan_files.h"
#include "bench/training_run.h"
#include "report/run_result.h"

namespace mgbench::commands_entries {
namespace {

void add_options(CLI::App& app, RunConfig& config) {
  add_network_options(app, config);
  add_strategy_options(app, config);
  add_plan_option(app, config);
  add_communicator_options(app, config);
  app.add_option("--calibration", config.calibration, "Use this calibration instead of measuring one")
      ->type_name("FILE");
  add_rank_options(app, config);
  add_json_option(app, config);
}

void check(const RunConfig& config) {
  check_rank_options(config);
  check_network_options(config);
  check_communicator_options(config);
  chosen_strategies(config);
  given_plans(config, Workload(config).outline());
  if (!config.calibration.empty()) calibration_from_yaml(read_file(config.calibration), config.calibration);
}

/// Shows and saves the result; what the process ends with.
ExitCode conclude(const RunConfig& config, const RunResult& result) {
  const auto path = write_new_file(config.output, fmt::format("{}-run-{}", utc_now_for_file_name(), result.model),
                                   ".json", to_json(result));
  fmt::print("{}\n", config.json ? summary_to_json(result) : format_summary(result));
  fmt::print(stderr, "mgbench: result: {}\n", path.string());
  const bool correct = std::all_of(result.strategies.begin(), result.strategies.end(),
                                   [](const StrategyResult& strategy) { return strategy.failure.empty(); });
  return correct ? ExitCode::ok : ExitCode::verdict_failed;
}

ExitCode execute(const RunConfig& config, Session* session) {
  TrainingRun run(config, *session);
  run.preflight();
  run.build();
  run.choose_communicator();
  run.calibrate();
  run.plan();
  run.check_correctness();
  run.measure();
  run.predict();
  const RunResult result = std::move(run).result();
  return session->group.is_root() ? conclude(config, result) : ExitCode::ok;
}

}  // namespace

CommandEntry run() {
  return {.name = "run",
          .summary = "Train under every strategy for real, side by side, beside what was predicted",
          .add_options = add_options,
          .check = check,
          .memory_per_rank = [](const RunConfig& config) { return Workload(config).memory_per_rank(); },
          .execute = execute};
}

}  // namespace mgbench::commands_entries

#include "bench/commands/run.h"

#include <fmt/format.h>

#include "bench/files/files.h"
#include "bench/host/environment.h"
#include "bench/options.h"
#include "bench/terminal/print_summary.h"
#include "bench/watch/activity.h"
#include "report/figure_lines.h"
#include "report/summary.h"
#include "report/unmeasured.h"

namespace mgbench {

namespace {

void begin(TrainingRun& run) {
  run.preflight();
  run.build();
}

void measure(TrainingRun& run) {
  run.choose_communicator();
  run.calibrate();
  run.plan();
  run.check_correctness();
  run.measure();
  run.predict();
}

}  // namespace

Trained train_within_budget(const RunConfig& config, Session& session, Journal& journal) {
  TrainingRun run(config, {}, session, journal);
  begin(run);
  if (std::string lack = run.lack_of_time(); !lack.empty()) return {.result = std::nullopt, .lack = std::move(lack)};
  measure(run);
  return {.result = std::move(run).result(), .lack = ""};
}

ExitCode finish_run(TrainingRun& run, const Session& session, Journal& journal,
                    const std::function<ExitCode(const RunResult&)>& conclude) {
  activity().begin("writing the result");
  if (!session.group.is_root()) return ExitCode::ok;
  const RunResult result = std::move(run).result();
  const ExitCode code = conclude(result);
  journal.discard();
  const std::string unmeasured = format_unmeasured(result);
  if (unmeasured.empty()) return code;
  fmt::print(stderr, "mgbench: not measured: {}\n", unmeasured);
  return code == ExitCode::ok ? ExitCode::not_measured : code;
}

namespace commands_entries {
namespace {

void add_options(CLI::App& app, RunConfig& config) {
  add_training_options(app, config);
  app.add_option(
         "--within", config.within,
         "End once every 95 % interval is within this share of its median (default: 0.02; 0: at the budget's end)")
      ->type_name("SHARE");
}

void check(const RunConfig& config) {
  require(!config.within || (*config.within >= 0 && *config.within < 1),
          "--within {}: expected a share of the median, from 0 to below 1", *config.within);
  check_training_options(config);
}

/// Shows and saves the result; what the process ends with.
ExitCode conclude(const RunConfig& config, const RunResult& result) {
  const auto path = write_new_file(config.output, fmt::format("{}-run-{}", utc_now_for_file_name(), result.model),
                                   ".json", to_json(result));
  if (config.json) {
    fmt::print("{}\n", summary_to_json(result));
  } else {
    print_summary(result);
    fmt::print("{}", format_figures(run_figures(result)));
  }
  fmt::print(stderr, "mgbench: result: {}\n", path.string());
  return result.correct() ? ExitCode::ok : ExitCode::verdict_failed;
}

ExitCode execute(const RunConfig& config, Session* session) {
  Journal journal(config.output, "run");
  journal.entrust_to(session->watchdog);
  TrainingRun run(config, {.budget = 60, .patience = 150}, *session, journal);
  begin(run);
  measure(run);
  return finish_run(run, *session, journal, [&](const RunResult& result) { return conclude(config, result); });
}

}  // namespace

CommandEntry run() {
  return {.name = "run",
          .summary = "Train under every strategy for real, side by side, beside what was predicted",
          .add_options = add_options,
          .check = check,
          .memory_per_rank = [](const RunConfig& config) { return Workload(config).training_memory_per_rank(); },
          .execute = execute};
}

}  // namespace commands_entries
}  // namespace mgbench

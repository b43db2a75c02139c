#include "bench/commands/run.h"

#include <fmt/format.h>

#include "bench/environment.h"
#include "bench/files.h"
#include "bench/options.h"
#include "bench/print_summary.h"
#include "report/figure_lines.h"
#include "report/summary.h"

namespace mgbench {

RunResult train(const RunConfig& config, TimeLimits limits, Session& session) {
  TrainingRun run(config, limits, session);
  run.preflight();
  run.build();
  run.choose_communicator();
  run.calibrate();
  run.plan();
  run.check_correctness();
  run.measure();
  run.predict();
  return std::move(run).result();
}

namespace commands_entries {
namespace {

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
  const RunResult result = train(config, {.budget = 60, .patience = 150}, *session);
  return session->group.is_root() ? conclude(config, result) : ExitCode::ok;
}

}  // namespace

CommandEntry run() {
  return {.name = "run",
          .summary = "Train under every strategy for real, side by side, beside what was predicted",
          .add_options = add_training_options,
          .check = check_training_options,
          .memory_per_rank = [](const RunConfig& config) { return Workload(config).memory_per_rank(); },
          .execute = execute};
}

}  // namespace commands_entries
}  // namespace mgbench

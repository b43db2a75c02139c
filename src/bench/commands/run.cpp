#include <fmt/format.h>

#include "bench/command.h"
#include "bench/environment.h"
#include "bench/files.h"
#include "bench/options.h"
#include "bench/print_summary.h"
#include "bench/training_run.h"
#include "report/summary.h"

namespace mgbench::commands_entries {
namespace {

/// Shows and saves the result; what the process ends with.
ExitCode conclude(const RunConfig& config, const RunResult& result) {
  const auto path = write_new_file(config.output, fmt::format("{}-run-{}", utc_now_for_file_name(), result.model),
                                   ".json", to_json(result));
  if (config.json)
    fmt::print("{}\n", summary_to_json(result));
  else
    print_summary(result);
  fmt::print(stderr, "mgbench: result: {}\n", path.string());
  return result.correct() ? ExitCode::ok : ExitCode::verdict_failed;
}

ExitCode execute(const RunConfig& config, Session* session) {
  TrainingRun run(config, {.budget = 60, .patience = 150}, *session);
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
          .add_options = add_training_options,
          .check = check_training_options,
          .memory_per_rank = [](const RunConfig& config) { return Workload(config).memory_per_rank(); },
          .execute = execute};
}

}  // namespace mgbench::commands_entries

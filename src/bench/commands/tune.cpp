#include <fmt/format.h>

#include "bench/command.h"
#include "bench/commands/run.h"
#include "bench/files/files.h"
#include "bench/host/environment.h"
#include "bench/launch/shell_words.h"
#include "bench/options.h"
#include "bench/training/training_run.h"
#include "report/figure_lines.h"
#include "report/tuning.h"

namespace mgbench::commands_entries {
namespace {

/// `mgbench run` with the same model, ranks and links.
std::string run_command(const RunConfig& config, const std::string& plan) {
  std::vector<std::string> words{"mgbench", "run", "--plan", plan};
  const auto add = [&](const std::string& option, const std::string& value) {
    words.insert(words.end(), {option, value});
  };
  const RunConfig standard;
  if (config.profile.empty()) add("--model", config.model);
  if (config.backend != standard.backend) add("--backend", config.backend);
  if (!config.profile.empty()) add("--profile", config.profile);
  if (config.precision != standard.precision) add("--precision", config.precision);
  if (config.gradients != standard.gradients) add("--gradients", config.gradients);
  if (config.layout != standard.layout) add("--layout", config.layout);
  if (config.batch) add("--batch", std::to_string(*config.batch));
  if (config.communicator != standard.communicator) add("--communicator", config.communicator);
  if (!config.interconnect.empty()) add("--interconnect", config.interconnect);
  if (config.as_ranks) add("--as-ranks", std::to_string(*config.as_ranks));
  if (config.emulated_moves_data) words.emplace_back("--move-data");
  if (config.cuda_graphs) words.emplace_back("--cuda-graphs");
  if (config.ranks) add("-n", std::to_string(*config.ranks));
  if (config.threads) add("--threads", std::to_string(*config.threads));
  return shell_words(words);
}

/// Shows and saves result and plan; what the process ends with.
ExitCode conclude(const RunConfig& config, const RunResult& result) {
  const std::string stem = fmt::format("{}-tune-{}", utc_now_for_file_name(), result.model);
  const auto path = write_new_file(config.output, stem, ".json", to_json(result));
  const Tuning tuning = summarize_tuning(result);
  SavedPlan saved;
  if (tuning.chosen) {
    saved.file = write_new_file(config.output, stem, ".yaml", to_yaml(chosen_plan(result, tuning))).string();
    saved.command = run_command(config, saved.file);
  }
  fmt::print("{}\n", config.json ? tuning_to_json(result, tuning, saved)
                                 : format_tuning(result, tuning, saved) + '\n' +
                                       format_figures(tuning_figures(result, tuning)));
  fmt::print(stderr, "mgbench: result: {}\n", path.string());
  return result.correct() ? ExitCode::ok : ExitCode::verdict_failed;
}

ExitCode execute(const RunConfig& config, Session* session) {
  Journal journal(config.output, "tune");
  journal.entrust_to(session->watchdog);
  TrainingRun run(config, {.budget = 120, .patience = 600}, *session, journal);
  run.preflight();
  run.build();
  run.choose_communicator();
  run.calibrate();
  run.plan();
  run.add_cost_family();
  run.check_correctness();
  run.race();
  run.predict();
  return finish_run(run, *session, journal, [&](const RunResult& result) { return conclude(config, result); });
}

}  // namespace

CommandEntry tune() {
  return {.name = "tune",
          .summary = "Try every strategy and exact plans around the model's uncertainty for real, and keep the fastest",
          .add_options = add_training_options,
          .check = check_training_options,
          .memory_per_rank = [](const RunConfig& config) { return Workload(config).training_memory_per_rank(); },
          .execute = execute};
}

}  // namespace mgbench::commands_entries

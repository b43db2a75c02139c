#include <fmt/format.h>

#include <algorithm>

#include "bench/automatic_communicator.h"
#include "bench/calibration_job.h"
#include "bench/command.h"
#include "bench/environment.h"
#include "bench/files.h"
#include "bench/import_job.h"
#include "bench/options.h"
#include "bench/preflight.h"
#include "models/model.h"
#include "report/calibration_report.h"

namespace mgbench::commands_entries {
namespace {

constexpr Seconds kBudget = 30;
constexpr double kChoiceShare = 0.1;  // of the budget
constexpr Seconds kReserve = 1;       // start of ranks, preflight, writing

Bytes largest_model() {
  std::int64_t parameters = 0;
  for (const ModelEntry& entry : models()) parameters = std::max(parameters, entry.make().parameters());
  return static_cast<Bytes>(sizeof(float)) * parameters;
}

void add_import_options(CLI::App& app, RunConfig& config) {
  CLI::Option* logs =
      app.add_option("--import", config.imports,
                     "Measure nothing: read logs of other benchmarks (OSU, IMB, nccl-tests, CSV; may be repeated)")
          ->type_name("LOG")
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
          ->expected(1);
  app.add_option("--ranks", config.planned_ranks, "Number of ranks of imported logs that do not say it")
      ->type_name("P")
      ->needs(logs);
  app.add_flag("--out-of-place", config.out_of_place, "Import the out-of-place times of nccl-tests (default: in place)")
      ->needs(logs);
  for (const char* measured :
       {"-n", "--threads", "--budget", "--seed", "--communicator", "--interconnect", "--as-ranks", "--move-data"})
    logs->excludes(app.get_option(measured));
}

void add_options(CLI::App& app, RunConfig& config) {
  add_rank_options(app, config);
  add_communicator_options(app, config);
  add_json_option(app, config);
  add_import_options(app, config);
}

void check(const RunConfig& config) {
  check_rank_options(config);
  check_communicator_options(config);
  if (!config.imports.empty()) import_named_logs(config);
}

ExitCode execute(const RunConfig& config, Session* session) {
  if (!config.imports.empty()) return import_calibrations(config);
  ProcessGroup& group = session->group;
  Progress progress(group.is_root());
  const Placement placement = place_rank(group, config.threads);
  const Preflight preflight = run_preflight(*session, placement, 2 * largest_model());
  progress.remark(preflight.layout);
  for (const std::string& remark : preflight.remarks) progress.remark(remark);

  const Seconds end = steady_clock().now() + std::max(config.budget.value_or(kBudget) - kReserve, 0.5);
  RunConfig chosen = config;
  std::optional<CommunicatorChoice> choice;
  if (config.chooses_communicator()) {
    progress.stage("choosing how messages travel");
    const Seconds budget = kChoiceShare * (end - steady_clock().now());
    choice = choose_communicator(group, placement.threads, {.budget = budget, .seed = config.seed}, progress);
    chosen.communicator = choice->chosen;
  }
  const std::optional<CostModel> cost = emulated_cost(config);
  const auto communicator = make_communicator(chosen, group, cost, config.emulated_moves_data);
  const Seconds left = std::max(end - steady_clock().now(), 0.5);
  Calibration calibration = calibrate(chosen, group, *communicator, largest_model(), left, progress);
  progress.finish();
  if (choice) calibration.provenance["communicator"] = choice->reason;
  for (const auto& [name, value] : collect_environment(*session, placement)) calibration.provenance[name] = value;
  if (!group.is_root()) return ExitCode::ok;

  const auto path =
      write_new_file(config.output, fmt::format("{}-calibrate-{}ranks", utc_now_for_file_name(), group.size()), ".yaml",
                     to_yaml(calibration));
  if (config.json)
    fmt::print("{}\n", calibration_to_json(calibration));
  else
    fmt::print("{}\n{}", format_calibration(calibration), choice ? wrap(choice->reason, kDefaultWidth, 2) + '\n' : "");
  progress.remark(fmt::format("calibration: {}", path.string()));
  return ExitCode::ok;
}

}  // namespace

CommandEntry calibrate() {
  return {.name = "calibrate",
          .summary = "Measure allreduce on the live interconnect, or import a log, and fit its cost",
          .add_options = add_options,
          .check = check,
          .memory_per_rank = [](const RunConfig&) { return 2 * largest_model(); },
          .execute = execute,
          .without_ranks = [](const RunConfig& config) { return !config.imports.empty(); }};
}

}  // namespace mgbench::commands_entries

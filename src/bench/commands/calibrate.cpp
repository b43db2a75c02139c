#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/calibration/algorithms_job.h"
#include "bench/calibration/import_job.h"
#include "bench/calibration/mpi_algorithms.h"
#include "bench/calibration/pairs.h"
#include "bench/calibration/whole_calibration.h"
#include "bench/command.h"
#include "bench/files/files.h"
#include "bench/host/environment.h"
#include "bench/host/preflight.h"
#include "bench/nccl/nccl_algorithms.h"
#include "bench/options.h"
#include "report/calibration_report.h"
#include "report/unmeasured.h"

namespace mgbench::commands_entries {
namespace {

constexpr Seconds kReserve = 1;          // start of ranks, preflight, writing
constexpr Seconds kNcclAlgorithms = 30;  // NCCL makes a communicator for each of some ten ways, twice

void add_import_options(CLI::App& app, RunConfig& config) {
  CLI::Option* logs =
      app.add_option("--import", config.imports,
                     "Measure nothing: read logs of other benchmarks (OSU, IMB, nccl-tests, CSV; may be repeated)")
          ->type_name("FILE")
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
          ->expected(1);
  app.add_option("--ranks", config.planned_ranks, "Number of ranks of imported logs that do not say it")
      ->type_name("P")
      ->needs(logs);
  app.add_flag("--out-of-place", config.out_of_place, "Import the out-of-place times of nccl-tests (default: in place)")
      ->needs(logs);
  for (const char* measured :
       {"-n", "--nodes", "--launcher", "--dry-run", "--threads", "--budget", "--seed", "--communicator",
        "--interconnect", "--as-ranks", "--move-data", "--pairs", "--by-ranks", "--algorithms"})
    logs->excludes(app.get_option(measured));
}

void add_options(CLI::App& app, RunConfig& config) {
  add_rank_options(app, config);
  add_communicator_options(app, config);
  add_json_option(app, config);
  app.add_flag("--by-ranks", config.by_ranks,
               "2, 4, ... ranks as well, within a node and one a node: a calibration each, for mgbench simulate");
  app.add_flag("--pairs", config.pairs, "Latency and bandwidth of every two nodes instead, with what is slow by name");
  CLI::Option* algorithms = app.add_flag(
      "--algorithms", config.algorithms,
      "The MPI library's own choice of allreduce (NCCL's with --communicator nccl) against the others that it has, and "
      "what to set for what is faster");
  for (const char* other : {"--by-ranks", "--pairs", "--interconnect"}) algorithms->excludes(app.get_option(other));
  add_import_options(app, config);
}

bool compares_nccl(const RunConfig& config) {
  return config.algorithms && config.communicator == "nccl";
}

void check(const RunConfig& config) {
  check_rank_options(config);
  check_communicator_options(config);
  require(!config.pairs || config.ranks.value_or(2) >= 2, "--pairs: one rank has no pair; start at least two (-n)");
  require(!config.algorithms || config.ranks.value_or(2) >= 2,
          "--algorithms: one rank has nothing to sum; start at least two (-n)");
  require(!config.algorithms || config.communicator == kAutomatic || compares_nccl(config),
          "--algorithms: the MPI library's, or NCCL's with --communicator nccl; '{}' has none of its own",
          config.communicator);
  if (compares_nccl(config)) require_free_nccl();
  require(!config.pairs || !config.emulates(),
          "calibrate: --pairs measures the real interconnect; leave out --interconnect");
  require(
      !config.by_ranks || (!config.emulates() && !config.pairs),
      "calibrate: --by-ranks measures the real interconnect, and not --pairs; leave out --interconnect and --pairs");
  if (!config.imports.empty()) import_named_logs(config);
}

/// Two ranks need 15 s, eight and more 30 s: allreduces take more steps.
Seconds default_budget(const RunConfig& config, int ranks) {
  return 15 * std::clamp((1 + std::log2(ranks)) / 2, 1.0, 2.0) + (compares_nccl(config) ? kNcclAlgorithms : 0);
}

Seconds measuring_budget(const RunConfig& config, int ranks) {
  return std::max(config.budget.value_or(default_budget(config, ranks)) - kReserve, 0.5);
}

Bytes memory_per_rank(const RunConfig& config) {
  return config.pairs ? kPairsMemory : 2 * largest_gradients();
}

/// Which node or link is slow, in place of what an allreduce costs.
ExitCode calibrate_pairs(const RunConfig& config, ProcessGroup& group, const Placement& placement, Progress& progress) {
  const PairMatrix matrix = measure_pairs(group, placement.host, progress);
  progress.finish();
  if (!group.is_root()) return ExitCode::ok;
  const auto path =
      write_new_file(config.output, fmt::format("{}-pairs-{}nodes", utc_now_for_file_name(), matrix.nodes.size()),
                     ".json", pairs_to_json(matrix));
  fmt::print("{}\n", config.json ? pairs_to_json(matrix) : format_pairs(matrix));
  progress.remark(fmt::format("pairs: {}", path.string()));
  return ExitCode::ok;
}

ExitCode execute(const RunConfig& config, Session* session) {
  if (!config.imports.empty()) return import_calibrations(config);
  ProcessGroup& group = session->group;
  Progress progress(group.is_root());
  const Placement placement = place_rank(group, config.threads);
  const Preflight preflight = run_preflight(*session, placement, memory_per_rank(config));
  progress.remark(preflight.layout);
  for (const std::string& remark : preflight.remarks) progress.remark(remark);

  if (config.pairs) return calibrate_pairs(config, group, placement, progress);
  if (config.algorithms)
    return compare_library_algorithms(config, *session, placement, largest_gradients(),
                                      measuring_budget(config, group.size()), progress);
  const WholeCalibration whole =
      measure_whole_calibration(config, *session, placement, measuring_budget(config, group.size()), progress);
  if (!group.is_root()) return ExitCode::ok;
  fmt::print("{}\n", config.json ? calibration_to_json(whole.all) : format_calibration(whole.all));
  if (whole.choice && !config.json) fmt::print("{}\n", wrap(whole.choice->reason, kDefaultWidth, 2));
  for (const auto& path : save(whole, config.output)) progress.remark(fmt::format("calibration: {}", path.string()));
  if (whole.all.provenance.contains("ended")) progress.remark(whole.all.provenance.at("ended"));
  const std::string unmeasured = unmeasured_sizes(whole.all);
  if (unmeasured.empty()) return ExitCode::ok;
  progress.remark("not measured: " + unmeasured);
  return ExitCode::not_measured;
}

}  // namespace

CommandEntry calibrate() {
  return {.name = "calibrate",
          .summary = "Measure allreduce on the live interconnect, or import a log, and fit its cost",
          .add_options = add_options,
          .check = check,
          .memory_per_rank = memory_per_rank,
          .execute = execute,
          .without_ranks = [](const RunConfig& config) { return !config.imports.empty(); },
          .mpi_environment =
              [](const RunConfig& config) {
                return config.algorithms && config.communicator == kAutomatic ? mpi_algorithm_environment()
                                                                              : std::map<std::string, std::string>();
              }};
}

}  // namespace mgbench::commands_entries

#include "bench/calibration/algorithms_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "bench/calibration/calibration_job.h"
#include "bench/calibration/compare_algorithms.h"
#include "bench/calibration/mpi_algorithms.h"
#include "bench/clock.h"
#include "bench/files/files.h"
#include "bench/host/environment.h"
#include "bench/nccl/nccl_algorithms.h"
#include "bench/watch/interruption.h"
#include "report/nccl_advice.h"
#include "report/statistics.h"

namespace mgbench {
namespace {

bool is_of_nccl(const RunConfig& config) {
  return config.communicator == "nccl";
}

/// For an MPI library that reads rules; others take one algorithm for all sizes.
void tell_mpi_settings(const RunConfig& config, const AlgorithmComparison& comparison, const std::string& name,
                       Progress& progress) {
  if (!reads_open_mpi_rules(mpi_library_version())) {
    const std::string algorithm = algorithm_for_all_sizes(comparison);
    if (!algorithm.empty() && !config.json)
      fmt::print("To use it at all sizes:\n  {}={}\n", comparison.variable, algorithm);
    return;
  }
  const std::vector<AlgorithmRule> rules = algorithm_rules(comparison);
  if (rules.empty()) return;
  const std::string text = open_mpi_rules(comparison.ranks, rules);
  const auto path = write_new_file(config.output, name + "-allreduce", ".rules", text);
  progress.remark(fmt::format("rules: {}", path.string()));
  if (config.json) return;
  fmt::print(
      "{}\nTo use these rules, with the file on every node:\n"
      "  mpirun --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename {} ...\n",
      text, std::filesystem::absolute(path).string());
}

bool has_intervals(const AlgorithmComparison& comparison) {
  return std::all_of(comparison.sizes.begin(), comparison.sizes.end(),
                     [](const SizeComparison& size) { return estimate_median(size.own_choice).interval.has_value(); });
}

/// Over TCP between hosts large allreduces may run at half the rate; no process can change that for itself.
void name_what_was_not_tried(const ProcessGroup& group, const Placement& placement, Progress& progress) {
  if (group.size() == placement.host_ranks || !mpi_library_version().starts_with("Open MPI")) return;
  progress.remark(
      "not tried: if messages travel over TCP, compare mgbench calibrate under mpirun --mca btl_tcp_flags 1 with one "
      "without");
}

std::unique_ptr<LibraryAlgorithms> algorithms_of(const RunConfig& config, ProcessGroup& group,
                                                 const GradientArena& arena) {
  if (is_of_nccl(config)) return std::make_unique<NcclAlgorithms>(group, arena);
  return std::make_unique<MpiAlgorithms>(group);
}

}  // namespace

ExitCode compare_library_algorithms(const RunConfig& config, Session& session, const Placement& placement,
                                    Bytes largest, Seconds budget, Progress& progress) {
  const Seconds begin = steady_clock().now();
  GradientArena arena{.bytes = largest};
  Placement placed = placement;
  if (is_of_nccl(config)) arena = arena_without_network(config, session.group, largest, placed);
  progress.stage("finding algorithms");
  const std::unique_ptr<LibraryAlgorithms> algorithms = algorithms_of(config, session.group, arena);
  progress.stage("comparing algorithms");
  const Seconds left = std::max(budget - session.group.maximum(steady_clock().now() - begin), budget / 4);
  AlgorithmComparison comparison =
      compare_algorithms(session.group, algorithms->own_choice(), algorithms->others(),
                         {.largest = arena, .budget = left, .seed = config.seed}, progress);
  progress.finish();
  comparison.library = algorithms->name();
  comparison.variable = algorithms->variable();
  comparison.failed.merge(algorithms->left_out());
  comparison.provenance = collect_environment(session, placed);
  comparison.provenance.merge(algorithms->facts());
  const int signal = noted_signal(session.group);
  if (!session.group.is_root()) return ExitCode::ok;
  comparison.provenance.insert(
      {{"command", config.command}, {"date", utc_now()}, {"seed", std::to_string(config.seed)}});
  if (signal != 0) comparison.provenance["ended"] = fmt::format("stopped by {}", signal_name(signal));
  const std::string name = fmt::format("{}-algorithms-{}ranks", utc_now_for_file_name(), comparison.ranks);
  const std::string json = algorithms_to_json(comparison);
  fmt::print("{}\n", config.json ? json : format_algorithms(comparison));
  progress.remark(fmt::format("algorithms: {}", write_new_file(config.output, name, ".json", json).string()));
  if (!is_of_nccl(config)) {
    tell_mpi_settings(config, comparison, name, progress);
    name_what_was_not_tried(session.group, placement, progress);
  } else if (!config.json) {
    fmt::print("{}", nccl_advice(comparison));
  }
  return signal == 0 || has_intervals(comparison) ? ExitCode::ok : ExitCode::not_measured;
}

}  // namespace mgbench

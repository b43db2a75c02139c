#include "bench/calibration/calibration_job.h"

#include <algorithm>
#include <utility>

#include "bench/calibration/calibrate.h"
#include "bench/clock.h"
#include "bench/files/files.h"
#include "bench/gpu/module.h"
#include "bench/host/environment.h"
#include "bench/watch/interruption.h"
#include "report/interconnect.h"

namespace mgbench {
namespace {

const std::string& communicator_name(const RunConfig& config) {
  static const std::string kEmulated = "emulated";
  return config.emulates() ? kEmulated : config.communicator;
}

}  // namespace

std::optional<CostModel> emulated_cost(const RunConfig& config) {
  if (!config.emulates()) return std::nullopt;
  const auto path = find_config("interconnects", config.interconnect);
  return interconnect_from_yaml(read_file(path), path.string()).cost(*config.as_ranks);
}

std::string emulation_name(const RunConfig& config) {
  if (!config.emulates()) return "";
  return fmt::format("{} as {} ranks", std::filesystem::path(config.interconnect).stem().string(), *config.as_ranks);
}

std::unique_ptr<Communicator> make_communicator(const RunConfig& config, ProcessGroup& group,
                                                const std::optional<CostModel>& cost, bool move_data,
                                                const GradientArena& arena) {
  const CommunicatorEntry& entry = communicators().find(communicator_name(config));
  const std::string obstacle = entry.unavailable();  // some know it only now that MPI is up
  require(obstacle.empty(), "communicator '{}' cannot be used here: {}", entry.name, obstacle);
  const std::string reason = misfit(entry, arena.space(), arena.type);
  require(reason.empty(), "communicator '{}' does not fit these gradients: {}", entry.name, reason);
  return entry.make({.group = &group,
                     .clock = &steady_clock(),
                     .emulated_cost = cost ? &*cost : nullptr,
                     .emulated_moves_data = move_data,
                     .device = arena.device,
                     .type = arena.type,
                     .arena = arena.bytes});
}

std::map<std::string, std::string> communicator_facts(const RunConfig& config, ProcessGroup& group,
                                                      const GradientArena& arena, Progress& progress) {
  const CommunicatorEntry& entry = communicators().find(communicator_name(config));
  if (!entry.facts) return {};
  progress.stage(fmt::format("asking {} how it sums", entry.name));
  return entry.facts(group, arena);
}

GradientArena arena_without_network(const RunConfig& config, ProcessGroup& group, Bytes bytes, Placement& placement) {
  if (communicators().find(communicator_name(config)).host) return {.bytes = bytes};
  placement.device = gpu_module().claim_device(group);
  return {.bytes = bytes, .device = &gpu_module().device()};
}

Calibration calibrate(const RunConfig& config, ProcessGroup& group, Communicator& communicator,
                      const GradientArena& arena, const CalibrationBudget& budget, Progress& progress) {
  const Seconds begin = steady_clock().now();
  Calibration calibration;
  calibration.ranks = group.size();
  calibration.emulated = emulation_name(config);
  auto measure = [&](const std::string& name, const std::string& through, TimedAllreduce& allreduce,
                     const GradientArena& where, Seconds share) {
    const CurveRequest request{.name = name,
                               .communicator = through,
                               .arena = where,
                               .budget = share,
                               .seed = config.seed,
                               .moves_data = name == "library" || communicator.moves_data()};
    MeasuredCurve measured = measure_curve(group, allreduce, request, progress);
    calibration.curves.push_back(std::move(measured.curve));
    calibration.left_out_above = std::max(calibration.left_out_above, measured.left_out_above);
  };

  progress.stage("calibrating");
  const Seconds library_share = budget.library * budget.seconds;
  if (const auto& make_library = communicators().find(communicator_name(config)).library) {
    measure("library", "blocking allreduce of " + config.communicator,
            *library_allreduce(*arena.device, make_library(group)), arena, library_share);
  } else if (!config.emulates()) {
    measure("library", "blocking MPI_Allreduce", *library_allreduce(group), {.bytes = arena.bytes}, library_share);
  }
  const Seconds least = config.emulates() ? budget.seconds : (1 - budget.library) * budget.seconds;
  measure("engine", communicator_name(config), *engine_allreduce(communicator, arena.device), arena,
          std::max(least, budget.seconds - group.maximum(steady_clock().now() - begin)));
  calibration.provenance = {{"command", config.command}, {"date", utc_now()}, {"seed", std::to_string(config.seed)}};
  if (const int signal = noted_signal(group); signal != 0)
    calibration.provenance["ended"] = fmt::format("stopped by {}", signal_name(signal));
  return calibration;
}

}  // namespace mgbench

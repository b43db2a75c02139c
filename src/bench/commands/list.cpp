#include <fmt/format.h>

#include "bench/command.h"
#include "bench/communicator.h"
#include "bench/network.h"
#include "models/model.h"
#include "planner/simulated_strategy.h"
#include "planner/strategy.h"

namespace mgbench::commands_entries {
namespace {

/// Backends and communicators: available, or why not.
template <typename Entry>
void print_with_availability(const Entry& entry) {
  const std::string reason = entry.unavailable();
  fmt::print("  {:<15} {}{}\n", entry.name, entry.summary,
             reason.empty() ? "" : fmt::format(" [not available: {}]", reason));
}

ExitCode execute(const RunConfig&, Session*) {
  fmt::print("Models{:>19}{:>14}{:>20}\n", "tensors", "parameters", "multiply-adds/image");
  for (const ModelEntry& entry : models()) {
    const ModelSpec model = entry.make();
    fmt::print("  {:<15} {:>7} {:>13} {:>19}  {}\n", entry.name, model.tensors(), model.parameters(),
               model.multiply_adds(), entry.summary);
  }
  fmt::print("\nStrategies\n");
  for (const StrategyEntry& entry : strategies()) fmt::print("  {:<15} {}\n", entry.name, entry.summary);
  fmt::print("\nStrategies that are simulated only\n");
  for (const SimulatedStrategyEntry& entry : simulated_strategies())
    fmt::print("  {:<15} {}\n", entry.name, entry.summary);
  fmt::print("\nBackends\n");
  for (const BackendEntry& entry : backends()) print_with_availability(entry);
  fmt::print("\nCommunicators\n");
  fmt::print("  {:<15} the best of those that can be used, found by measuring (default)\n", kAutomatic);
  for (const CommunicatorEntry& entry : communicators()) print_with_availability(entry);
  return ExitCode::ok;
}

}  // namespace

CommandEntry list() {
  return {.name = "list",
          .summary = "Models, strategies, backends and communicators that there are",
          .add_options = [](CLI::App&, RunConfig&) {},
          .check = [](const RunConfig&) {},
          .memory_per_rank = {},
          .execute = execute};
}

}  // namespace mgbench::commands_entries

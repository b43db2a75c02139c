#include "bench/options.h"

#include <fmt/ranges.h>

#include <CLI/Option.hpp>
#include <algorithm>
#include <cmath>

#include "base/names.h"
#include "bench/backends/layout.h"
#include "bench/backends/precision.h"
#include "bench/communicator.h"
#include "bench/files/files.h"
#include "bench/files/plan_files.h"
#include "bench/network.h"
#include "bench/training/workload.h"
#include "models/model.h"
#include "report/calibration.h"
#include "report/interconnect.h"

namespace mgbench {
namespace {

/// An option whose value is a size with a unit.
void add_bytes(CLI::App& app, const std::string& name, Bytes& target, const std::string& help) {
  app.add_option_function<std::string>(
         name, [&target, name](const std::string& text) { target = parse_bytes(text, name); }, help)
      ->type_name("SIZE")
      ->default_str(format_bytes(target));
}

/// What CLI11 itself says names the largest of all numbers, with 309 digits.
std::string complaint_unless_positive(const std::string& text) {
  double value = 0;
  const bool number = CLI::detail::lexical_cast(text, value);
  return number && std::isfinite(value) && value > 0 ? "" : fmt::format("{}: expected a number above 0", text);
}

/// Of --communicator; null for `auto`. Throws Error for an unknown name.
const CommunicatorEntry* named_communicator(const RunConfig& config) {
  if (config.communicator == kAutomatic) return nullptr;
  std::vector<std::string> names = communicators().names();
  names.insert(names.begin(), kAutomatic);
  require(std::find(names.begin(), names.end(), config.communicator) != names.end(), "unknown communicator '{}'{}",
          config.communicator, suggestion(config.communicator, names));
  return &communicators().find(config.communicator);
}

/// Messages in which the host takes part cannot be captured.
void check_graph_options(const RunConfig& config) {
  if (!config.cuda_graphs) return;
  const BackendEntry& backend = chosen_backend(config);
  require(
      backend.captures, "--cuda-graphs: backend '{}' has no CUDA graphs{}", backend.name,
      config.backend == kAutomatic ? "; 'cudnn' cannot be used here: " + backends().find("cudnn").unavailable() : "");
  require(!config.emulates(),
          "--cuda-graphs: the host takes the time of emulated messages (--interconnect), and a graph runs without it");
  const CommunicatorEntry* named = named_communicator(config);
  require(
      named == nullptr || named->captures,
      "--cuda-graphs: the host takes part in each message of communicator '{}', and a graph runs without it: take {}",
      named == nullptr ? "" : named->name, capturing_communicator().name);
}

}  // namespace

void add_rank_options(CLI::App& app, RunConfig& config) {
  app.add_option("-n", config.ranks,
                 "Ranks to start: on this host (default: one a core up to 8, then one a NUMA domain), or in the Slurm "
                 "job (default: its tasks, one a GPU, or one a NUMA domain)")
      ->type_name("RANKS");
  app.add_option("--nodes", config.nodes, "Nodes of the Slurm job to take (default: all)")->type_name("N");
  app.add_option("--launcher", config.launcher, "What starts ranks in a Slurm job")
      ->type_name("auto|srun|mpirun")
      ->capture_default_str();
  app.add_flag("--dry-run", config.dry_run, "Only say how ranks would be started");
  app.add_option("--threads", config.threads, "Compute threads of a rank (default: the cores that it is bound to)")
      ->type_name("N");
  app.add_option(
         "--budget", config.budget,
         "Seconds for the whole command (default: calibrate 15 to 30, profile 20, run 60, tune 120, accept 600; "
         "profile, run and tune longer where six rounds need it)")
      ->type_name("SECONDS");
  app.add_option("--seed", config.seed, "Seed of parameters, data and the order of rounds")->capture_default_str();
  app.add_option("-o,--output", config.output, "Folder for results")->type_name("DIR")->capture_default_str();
  app.add_option(
         "--patience", config.patience,
         "End the job where a rank is silent or hangs for so long (default: 30, longer where work takes longer)")
      ->type_name("SECONDS");
}

void add_network_options(CLI::App& app, RunConfig& config) {
  app.add_option("--model", config.model, "Model to train (mgbench list)")->type_name("MODEL")->capture_default_str();
  app.add_option("--backend", config.backend,
                 "What computes the layers (mgbench list); auto: a GPU where one can be used")
      ->type_name("BACKEND")
      ->capture_default_str();
  app.add_option("--batch", config.batch, "Images a rank (default: 4; on a GPU the literature's, 32 to 128)")
      ->type_name("N");
  app.add_option("--precision", config.precision, "What a GPU computes in")
      ->type_name("fp32|tf32|fp16|bf16")
      ->capture_default_str();
  app.add_option("--gradients", config.gradients, "What a GPU keeps and sends gradients in")
      ->type_name("fp32|fp16|bf16")
      ->capture_default_str();
  app.add_option("--layout", config.layout, "How a GPU lays out activations; auto: what is faster, measured")
      ->type_name("auto|channels-first|channels-last")
      ->capture_default_str();
  app.add_option("--profile", config.profile, "Profile whose times the backend 'replay' takes")->type_name("FILE");
}

void add_strategy_options(CLI::App& app, RunConfig& config) {
  StrategyOptions& options = config.strategy_options;
  app.add_option("--strategy", config.strategy, "Strategies, separated by commas, or 'all' (mgbench list)")
      ->type_name("STRATEGIES")
      ->capture_default_str();
  add_bytes(app, "--ddp-first-bucket", options.ddp_first_bucket, "PyTorch DDP's first bucket");
  add_bytes(app, "--ddp-bucket", options.ddp_bucket, "PyTorch DDP's bucket_cap_mb");
  add_bytes(app, "--horovod-threshold", options.horovod_threshold, "Horovod's fusion threshold");
  app.add_option("--horovod-cycle", options.horovod_cycle, "Horovod's cycle time in seconds")
      ->type_name("SECONDS")
      ->check(complaint_unless_positive)
      ->capture_default_str();
}

void add_plan_option(CLI::App& app, RunConfig& config) {
  app.add_option("--plan", config.plans,
                 "Plan to take beside the strategies (mgbench tune); may be given several times")
      ->type_name("FILE")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->expected(1);
}

void add_communicator_options(CLI::App& app, RunConfig& config) {
  app.add_option("--communicator", config.communicator, "How messages travel (mgbench list); auto: the best, measured")
      ->type_name("COMMUNICATOR")
      ->capture_default_str();
  app.add_option("--interconnect", config.interconnect,
                 "Emulate this interconnect: a file, or a name of configs/interconnects")
      ->type_name("INTERCONNECT|FILE");
  app.add_option("--as-ranks", config.as_ranks, "Number of ranks whose interconnect is emulated")->type_name("P");
  app.add_flag("--move-data", config.emulated_moves_data,
               "Let emulated messages really sum (default: they only take the time)");
}

void add_json_option(CLI::App& app, RunConfig& config) {
  app.add_flag("--json", config.json, "Values as JSON on standard output");
}

void add_training_options(CLI::App& app, RunConfig& config) {
  add_network_options(app, config);
  add_strategy_options(app, config);
  add_plan_option(app, config);
  add_communicator_options(app, config);
  app.add_flag("--cuda-graphs", config.cuda_graphs,
               "Capture an iteration as a CUDA graph, messages and all, and launch it as a whole (cudnn with nccl)");
  app.add_option("--calibration", config.calibration, "Use this calibration instead of measuring one")
      ->type_name("FILE");
  add_rank_options(app, config);
  add_json_option(app, config);
}

void check_rank_options(const RunConfig& config) {
  require(!config.ranks || *config.ranks >= 1, "-n {}: expected at least one rank", *config.ranks);
  require(!config.nodes || *config.nodes >= 1, "--nodes {}: expected at least one node", *config.nodes);
  static const std::vector<std::string> kLaunchers{"auto", "srun", "mpirun"};
  require(std::find(kLaunchers.begin(), kLaunchers.end(), config.launcher) != kLaunchers.end(),
          "unknown launcher '{}'{}", config.launcher, suggestion(config.launcher, kLaunchers));
  require(!config.threads || *config.threads >= 1, "--threads {}: expected at least one thread", *config.threads);
  require(!config.budget || (std::isfinite(*config.budget) && *config.budget > 0),
          "--budget {}: expected seconds above zero", *config.budget);
  require(!config.patience || (std::isfinite(*config.patience) && *config.patience >= 1),
          "--patience {}: expected at least one second", *config.patience);
}

void check_network_options(const RunConfig& config) {
  models().find(config.model);
  const BackendEntry& backend = chosen_backend(config);
  const std::string reason = backend.unavailable();
  require(reason.empty(), "backend '{}' cannot be used here: {}", backend.name, reason);
  require(!config.batch || *config.batch >= 1, "--batch {}: expected at least one image a rank", *config.batch);
  const Precision precision = precision_named(config.precision);
  require(
      std::ranges::count(backend.precisions, precision) > 0, "--precision {}: backend '{}' computes in fp32 only{}",
      config.precision, backend.name,
      config.backend == kAutomatic ? "; 'cudnn' cannot be used here: " + backends().find("cudnn").unavailable() : "");
  const ElementType gradients = element_type_named(config.gradients);
  require(gradients == ElementType::float32 || backend.device,
          "--gradients {}: backend '{}' has gradients in fp32 only", config.gradients, backend.name);
  require(!layout_named(config.layout) || !backend.layouts.empty(), "--layout {}: backend '{}' has its own layouts",
          config.layout, backend.name);
}

void check_communicator_options(const RunConfig& config) {
  if (const CommunicatorEntry* entry = named_communicator(config)) {
    const std::string reason = entry->unavailable();
    require(reason.empty(), "communicator '{}' cannot be used here: {}", entry->name, reason);
  }
  require(config.interconnect.empty() == !config.as_ranks.has_value(),
          "--interconnect and --as-ranks belong together: an interconnect is emulated at a number of ranks");
  if (!config.emulates()) return;
  const auto path = find_config("interconnects", config.interconnect);
  interconnect_from_yaml(read_file(path), path.string()).cost(*config.as_ranks);
}

void check_communicator_fits_backend(const RunConfig& config) {
  const CommunicatorEntry* named = named_communicator(config);
  if (named == nullptr || config.emulates()) return;
  const BackendEntry& backend = chosen_backend(config);
  const MemorySpace space = backend.device ? MemorySpace::device : MemorySpace::host;
  const ElementType type = element_type_named(config.gradients);
  const std::string reason = misfit(*named, space, type);
  if (reason.empty()) return;
  std::vector<std::string> fitting;
  for (const CommunicatorEntry* entry : fitting_communicators(space, type)) fitting.push_back(entry->name);
  fail(ExitCode::bad_input, "communicator '{}' does not fit the backend '{}': {}. Those that do: {}", named->name,
       backend.name, reason, fmt::join(fitting, ", "));
}

void check_training_options(const RunConfig& config) {
  check_rank_options(config);
  check_network_options(config);
  check_graph_options(config);
  check_communicator_fits_backend(config);
  check_communicator_options(config);
  chosen_strategies(config);
  given_plans(config, Workload(config).outline());
  if (!config.calibration.empty()) calibration_from_yaml(read_file(config.calibration), config.calibration);
}

}  // namespace mgbench

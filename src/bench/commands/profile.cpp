#include <fmt/format.h>

#include "bench/command.h"
#include "bench/communicators/no_communication.h"
#include "bench/files/files.h"
#include "bench/host/environment.h"
#include "bench/host/preflight.h"
#include "bench/options.h"
#include "bench/training/observe.h"
#include "bench/training/rounds.h"
#include "bench/training/workload.h"
#include "report/profile_file.h"
#include "report/profile_report.h"

namespace mgbench::commands_entries {
namespace {

constexpr Seconds kBudget = 20;
constexpr Seconds kPatience = 120;  // where no --budget is given

void check(const RunConfig& config) {
  check_rank_options(config);
  check_network_options(config);
  const Workload workload(config);
}

ExitCode execute(const RunConfig& config, Session* session) {
  ProcessGroup& group = session->group;
  const Seconds begin = steady_clock().now();
  const Workload workload(config);
  Progress progress(group.is_root());
  Placement placement = place_rank(group, config.threads);
  placement.device = workload.claim_device(group);
  const Preflight preflight = run_preflight(*session, placement, workload.memory_per_rank());
  progress.remark(preflight.layout);
  for (const std::string& remark : preflight.remarks) progress.remark(remark);
  for (const std::string& remark : workload.remarks()) progress.remark(remark);

  progress.stage("building");
  if (const auto layout = workload.choose_layout(group, placement.threads)) progress.remark(layout_remark(*layout));
  const auto network = workload.make_network(group, placement.threads);
  NoCommunication communicator;
  Trainer trainer(group, *network, communicator);
  progress.stage("profiling");
  std::vector<Contestant> contestants{{.name = "without communication"}};
  const std::vector<Sample> warm = agree_on_samples(group, trainer.run_block({}, 2), 0);
  const RoundsEnd end = measure_rounds(trainer, contestants,
                                       {.deadline = begin + config.budget.value_or(kBudget),
                                        .patience = begin + config.budget.value_or(kPatience),
                                        .iteration = warm.back().iteration,
                                        .seed = config.seed},
                                       progress);
  const Profile profile = observe_profile(group, network->outline(), contestants[0].records);
  progress.finish();
  if (!group.is_root()) return ExitCode::ok;

  const auto path = write_new_file(
      config.output, fmt::format("{}-profile-{}", utc_now_for_file_name(), workload.name()), ".yaml", to_yaml(profile));
  if (config.json)
    fmt::print("{}\n", profile_to_json(profile));
  else
    fmt::print("{}\n", format_profile(profile));
  progress.remark(fmt::format("profile: {}", path.string()));
  if (end.stopped) progress.remark(end.reason);
  if (!end.too_short()) return ExitCode::ok;
  progress.remark(fmt::format("not measured: {}, expected {} at least", format_rounds(end.rounds), kEnoughRounds));
  return ExitCode::not_measured;
}

}  // namespace

CommandEntry profile() {
  return {.name = "profile",
          .summary = "Measure forward, backward and update of a model, and when its gradients are ready",
          .add_options =
              [](CLI::App& app, RunConfig& config) {
                add_rank_options(app, config);
                add_network_options(app, config);
                add_json_option(app, config);
              },
          .check = check,
          .memory_per_rank = [](const RunConfig& config) { return Workload(config).memory_per_rank(); },
          .execute = execute};
}

}  // namespace mgbench::commands_entries

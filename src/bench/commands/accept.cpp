#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "bench/calibration/pairs.h"
#include "bench/calibration/whole_calibration.h"
#include "bench/clock.h"
#include "bench/command.h"
#include "bench/commands/run.h"
#include "bench/files/acceptance_folder.h"
#include "bench/files/measurement_files.h"
#include "bench/host/environment.h"
#include "bench/host/preflight.h"
#include "bench/options.h"
#include "bench/watch/activity.h"
#include "bench/watch/interruption.h"
#include "models/model.h"
#include "report/calibration_report.h"
#include "report/criteria.h"
#include "report/html_page.h"
#include "report/markdown_report.h"
#include "report/summary.h"
#include "report/unmeasured.h"

namespace mgbench::commands_entries {
namespace {

constexpr Seconds kBudget = 600;
constexpr Seconds kReserve = 2;            // start of ranks, pre-flight, the verdict's files
constexpr double kCalibrationShare = 0.2;  // of the budget; the models share what is left
constexpr Seconds kLeastShare = 2;         // of a model: less goes before its first iteration

void add_options(CLI::App& app, RunConfig& config) {
  app.add_option("--models", config.accepted_models, "Models to train, separated by commas")
      ->type_name("MODELS")
      ->capture_default_str();
  app.add_option("--batch", config.batch, "Images a rank (default: 4)")->type_name("N");
  app.add_option("--criteria", config.criteria,
                 "Criteria: a file, or a name of configs/acceptance (default: cluster, or shared-memory on one host)")
      ->type_name("CRITERIA|FILE");
  add_communicator_options(app, config);
  add_rank_options(app, config);
  add_json_option(app, config);
}

/// Those of --models, as RunConfigs of `mgbench run`.
std::vector<RunConfig> trainings(const RunConfig& config) {
  std::vector<RunConfig> result;
  for (const std::string& model : chosen_names("--models", "model", config.accepted_models, models().names())) {
    result.push_back(config);
    result.back().model = model;
  }
  return result;
}

void check(const RunConfig& config) {
  check_rank_options(config);
  check_communicator_options(config);
  require(config.ranks.value_or(2) >= 2, "accept: one rank has nobody to talk to; start at least two (-n)");
  for (const RunConfig& training : trainings(config)) check_network_options(training);
  check_communicator_fits_backend(config);
  if (!config.criteria.empty()) read_criteria(config.criteria);
}

Bytes memory_per_rank(const RunConfig& config) {
  Bytes most = 0;
  for (const RunConfig& training : trainings(config))
    most = std::max(most, Workload(training).training_memory_per_rank());
  return most;
}

/// What was not measured, a model mostly, and why.
struct Missing {
  std::string what;
  std::string reason;
};

/// What has been found so far, on rank 0.
class Findings {
 public:
  Findings(const RunConfig& config, bool one_host)
      : config_(config),
        criteria_(read_criteria(!config.criteria.empty() ? config.criteria
                                : one_host               ? "shared-memory"
                                                         : "cluster")),
        folder_(config.output) {
    folder_.log(fmt::format("{}\n{}\n", config.command, utc_now()));
  }

  void add(const Preflight& found) {
    folder_.log(found.layout);
    for (const std::string& remark : found.remarks) folder_.log(remark);
  }

  void add(const WholeCalibration& whole) {
    save(whole, folder_.path());
    for (const SubgroupCalibration& part : whole.parts) {
      folder_.log(format_calibration(part.calibration));
      measurements_.push_back(measurement_of(part.calibration, "calibration of " + part.layout));
    }
    folder_.log(format_calibration(whole.all));
    measurements_.push_back(measurement_of(whole.all, "calibration of all ranks"));
  }

  void add(const PairMatrix& pairs) {
    folder_.add("pairs.json", pairs_to_json(pairs));
    folder_.log(format_pairs(pairs));
    measurements_.push_back(measurement_of(pairs, "pairs"));
  }

  const std::filesystem::path& folder() const { return folder_.path(); }

  /// Something was not measured.
  void add(const Missing& missing) {
    const std::string text = fmt::format("not measured: {}: {}", missing.what, missing.reason);
    folder_.log(text);
    fmt::print(stderr, "\nmgbench: {}\n", text);
    missing_.push_back(unmeasured_part(missing.what, missing.reason));
  }

  void add(RunResult result) {
    const std::string file = result.model + ".json";
    folder_.add(file, to_json(result));
    folder_.log(format_summary(result));
    correct_ = correct_ && result.correct();
    if (const std::string unmeasured = format_unmeasured(result); !unmeasured.empty())
      add(Missing{result.model, unmeasured});
    measurements_.push_back(measurement_of(result, file));
    results_.push_back({file, std::move(result)});
  }

  /// Writes the verdict and its reports, and shows it.
  ExitCode conclude() {
    std::vector<Checked> checked = check_criteria(criteria_, measurements_);
    checked.insert(checked.end(), missing_.begin(), missing_.end());
    folder_.add("checks.json", checked_to_json(checked));
    folder_.add("checks.md", checked_to_markdown(checked));
    folder_.add("junit.xml", checked_to_junit(checked));
    folder_.add("report.md", markdown_report(results_));
    folder_.add("report.html", html_page(results_));
    folder_.log(format_checked(checked));
    fmt::print("{}", config_.json ? checked_to_json(checked) : format_checked(checked));
    fmt::print(stderr, "mgbench: acceptance: {}\n", folder_.path().string());
    return correct_ ? exit_code(checked) : ExitCode::verdict_failed;
  }

 private:
  const RunConfig& config_;
  std::vector<Criterion> criteria_;
  AcceptanceFolder folder_;
  std::vector<Measurement> measurements_;
  std::vector<NamedResult> results_;
  bool correct_ = true;
  std::vector<Checked> missing_;
};

/// Everything but the verdict. Throws Interrupted where a signal ends it between its parts.
template <typename Keep>
void measure(const RunConfig& config, Session& session, const Placement& placement, const std::filesystem::path& folder,
             Keep&& keep) {
  ProcessGroup& group = session.group;
  const Seconds budget = config.budget.value_or(kBudget);
  const Seconds end = steady_clock().now() + budget - kReserve;
  Progress progress(group.is_root());
  std::vector<RunConfig> left = trainings(config);
  progress.remark(fmt::format("accept: interconnect, {} model{}, verdict; about {:.0f} s", left.size(),
                              left.size() == 1 ? "" : "s", budget));
  keep(run_preflight(session, placement, memory_per_rank(config)));

  RunConfig calibration = config;
  calibration.by_ranks = !config.emulates();
  keep(measure_whole_calibration(calibration, session, placement, kCalibrationShare * budget, progress));
  if (!config.emulates()) keep(measure_pairs(group, placement.host, progress));
  progress.finish();

  for (; !left.empty(); left.erase(left.begin())) {
    stop_if_told(group, left.front().model);
    progress.remark("accept: " + left.front().model);
    const Seconds share = group.minimum(end - steady_clock().now()) / static_cast<double>(left.size());
    if (share < kLeastShare) {
      keep(Missing{left.front().model, "the budget is spent"});
      continue;
    }
    left.front().budget = share;
    Journal journal(folder, "accept");
    journal.entrust_to(session.watchdog);
    Trained trained = train_within_budget(left.front(), session, journal);
    if (trained.result)
      keep(std::move(*trained.result));
    else
      keep(Missing{left.front().model, trained.lack});
    journal.discard();
  }
  stop_if_told(group, "the verdict");
}

ExitCode execute(const RunConfig& config, Session* session) {
  ProcessGroup& group = session->group;
  require(group.size() >= 2, "accept: one rank has nobody to talk to; start at least two (-n)");
  const Placement placement = place_rank(group, config.threads);
  std::optional<Findings> findings;  // on rank 0
  if (group.is_root()) findings.emplace(config, placement.host_ranks == group.size());
  const auto keep = [&](auto&& found) {
    if (findings) findings->add(std::forward<decltype(found)>(found));
  };
  try {
    measure(config, *session, placement, findings ? findings->folder() : std::filesystem::path(), keep);
  } catch (const Interrupted& stopped) {
    if (findings) findings->add(Missing{"the acceptance to its end", stopped.what()});
  }
  activity().begin("writing the verdict");
  return findings ? findings->conclude() : ExitCode::ok;
}

}  // namespace

CommandEntry accept() {
  return {
      .name = "accept",
      .summary = "Measure the interconnect and three models, and hold them against criteria: one folder, one verdict",
      .add_options = add_options,
      .check = check,
      .memory_per_rank = memory_per_rank,
      .execute = execute};
}

}  // namespace mgbench::commands_entries

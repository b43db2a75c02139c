#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "bench/command.h"
#include "bench/files/files.h"
#include "bench/files/measurement_files.h"
#include "bench/files/output_files.h"
#include "report/comparison.h"
#include "report/history.h"

namespace mgbench::commands_entries {
namespace {

void add_options(CLI::App& app, RunConfig& config) {
  app.add_option("FILES", config.results,
                 "BASELINE... CURRENT: results of mgbench run, or calibrations; three baselines or more tell how much "
                 "runs differ from each other")
      ->type_name("FILE")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--tolerance", config.tolerance, "Share by which a figure may change, or a YAML file by metric")
      ->type_name("SHARE|FILE")
      ->capture_default_str();
  app.add_flag("--force", config.force, "Compare what is not alike, too");
  app.add_option("--history", config.history,
                 "Look through the results of this folder for the run at which they changed")
      ->type_name("DIR");
  add_pipeline_options(app, config);
}

Tolerances read_tolerances(const std::string& text) {
  Tolerances tolerances;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), tolerances.standard);
  if (error != std::errc() || end != text.data() + text.size()) return tolerances_from_yaml(read_file(text), text);
  require_tolerance(tolerances.standard, "--tolerance");
  return tolerances;
}

/// One run counted twice would show no variation between runs.
void require_different(const std::vector<std::string>& files) {
  std::map<std::string, std::string> files_by_text;
  for (const std::string& file : files) {
    const auto [known, is_new] = files_by_text.emplace(read_file(file), file);
    require(is_new, "{} and {} are the same run, expected baselines that differ", known->second, file);
  }
}

void check(const RunConfig& config) {
  check_pipeline_options(config);
  if (!config.history.empty()) {
    require(config.results.empty(), "compare: --history takes a folder and no files");
    require(config.junit_output.empty(), "compare: --history gives no verdicts, and --junit is for verdicts");
    return;
  }
  require(config.results.size() >= 2, "compare: expected BASELINE... CURRENT, two files or more, not {}",
          config.results.size());
  read_tolerances(config.tolerance);
}

ExitCode show_history(const RunConfig& config) {
  const std::vector<Measurement> measurements = read_results_of_folder(config.history);
  const std::vector<History> found = histories(measurements);
  write_pipeline_files(config, histories_to_markdown(found), "");
  fmt::print("{}", config.json ? histories_to_json(found) : format_histories(found));
  const bool enough = std::any_of(found.begin(), found.end(),
                                  [](const History& history) { return history.runs.size() >= kLeastHistory; });
  return enough ? ExitCode::ok : ExitCode::not_measured;
}

ExitCode execute(const RunConfig& config, Session*) {
  if (!config.history.empty()) return show_history(config);
  const std::vector<std::string> files(config.results.begin(), config.results.end() - 1);
  require_different(files);
  std::vector<Measurement> baselines = read_measurements(files);
  const Measurement current = read_measurement(config.results.back());
  const std::vector<std::string> differences = differing_conditions(baselines, current);
  require(differences.empty() || config.force, "compare: not comparable: {}; --force compares all the same",
          fmt::join(differences, "; "));
  const Comparison comparison = compare(std::move(baselines), current, read_tolerances(config.tolerance));
  write_pipeline_files(config, comparison_to_markdown(comparison), comparison_to_junit(comparison));
  fmt::print("{}", config.json ? comparison_to_json(comparison) : format_comparison(comparison));
  return comparison.exit_code();
}

}  // namespace

CommandEntry compare() {
  return {.name = "compare",
          .summary = "Tell whether a result is worse than earlier ones, or when a folder of results changed",
          .add_options = add_options,
          .check = check,
          .memory_per_rank = {},
          .execute = execute};
}

}  // namespace mgbench::commands_entries

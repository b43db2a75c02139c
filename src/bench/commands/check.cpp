#include <fmt/format.h>

#include <filesystem>

#include "bench/command.h"
#include "bench/files/files.h"
#include "bench/files/measurement_files.h"
#include "bench/files/output_files.h"
#include "report/criteria.h"

namespace mgbench::commands_entries {
namespace {

namespace fs = std::filesystem;

void add_options(CLI::App& app, RunConfig& config) {
  app.add_option("RESULTS", config.results, "Results of mgbench run, or calibrations")
      ->type_name("FILE")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--criteria", config.criteria, "Criteria: a file, or a name of configs/acceptance")
      ->type_name("CRITERIA|FILE");
  app.add_option("--make-criteria", config.criteria_of, "Make criteria from this good result in place of a check")
      ->type_name("FILE");
  app.add_option("-o,--output", config.criteria_output, "The new file for --make-criteria")->type_name("FILE");
  add_pipeline_options(app, config);
}

void check_making(const RunConfig& config) {
  require(config.criteria.empty() && config.results.empty(),
          "check: --make-criteria RESULT takes one result, and neither --criteria nor others");
  require(config.markdown_output.empty() && config.junit_output.empty() && !config.json,
          "check: --make-criteria writes criteria, and --json, --markdown and --junit are for verdicts");
  require(!config.criteria_output.empty(), "check: --make-criteria needs -o FILE");
  check_output_file("-o", config.criteria_output);
  std::error_code ignored;
  require(!fs::exists(config.criteria_output, ignored), "-o {}: is there already, expected a new file",
          config.criteria_output);
}

void check_options(const RunConfig& config) {
  if (!config.criteria_of.empty()) return check_making(config);
  require(config.criteria_output.empty(), "check: -o is for --make-criteria; expected --junit, --markdown or none");
  require(!config.criteria.empty(), "check: expected --criteria FILE RESULT..., or --make-criteria RESULT -o FILE");
  require(!config.results.empty(), "check: expected results after --criteria {}", config.criteria);
  check_pipeline_options(config);
  read_criteria(config.criteria);
}

ExitCode make_criteria(const RunConfig& config) {
  const std::string text = criteria_template(read_measurement(config.criteria_of));
  require_writable_folder(folder_of(config.criteria_output));
  const fs::path written = write_new_file(config.criteria_output, text);
  fmt::print(stderr, "mgbench: criteria: {}\n", written.string());
  return ExitCode::ok;
}

ExitCode execute(const RunConfig& config, Session*) {
  if (!config.criteria_of.empty()) return make_criteria(config);
  const std::vector<Checked> checked =
      check_criteria(read_criteria(config.criteria), read_measurements(config.results));
  write_pipeline_files(config, checked_to_markdown(checked), checked_to_junit(checked));
  fmt::print("{}", config.json ? checked_to_json(checked) : format_checked(checked));
  return exit_code(checked);
}

}  // namespace

CommandEntry check() {
  return {.name = "check",
          .summary = "Hold results against criteria of acceptance, or make such criteria from a good result",
          .add_options = add_options,
          .check = check_options,
          .memory_per_rank = {},
          .execute = execute};
}

}  // namespace mgbench::commands_entries

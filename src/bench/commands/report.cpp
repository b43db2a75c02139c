#include <fmt/format.h>

#include "base/printable.h"
#include "bench/command.h"
#include "bench/files/files.h"
#include "bench/files/output_files.h"
#include "bench/terminal/print_summary.h"
#include "report/chrome_trace.h"
#include "report/html_page.h"
#include "report/markdown_report.h"
#include "report/named_result.h"
#include "report/samples_csv.h"
#include "report/table.h"

namespace mgbench::commands_entries {
namespace {

using NamedResults = std::vector<NamedResult>;

void add_options(CLI::App& app, RunConfig& config) {
  app.add_option("result", config.results, "Results of mgbench run or tune")->type_name("FILE")->required();
  app.add_option("--html", config.html_output, "Save one page with tables and charts that needs nothing else")
      ->type_name("FILE");
  app.add_option("--csv", config.csv_output, "Save all samples")->type_name("FILE");
  app.add_option("--markdown", config.markdown_output, "Save verdict, table and environment for a pull request")
      ->type_name("FILE");
  app.add_option("--trace", config.trace_output, "Save predicted and measured timelines for Perfetto")
      ->type_name("FILE");
}

NamedResults read_results(const RunConfig& config) {
  NamedResults results;
  for (const std::string& file : config.results) results.push_back(read_named_result(read_file(file), file));
  return results;
}

void check(const RunConfig& config) {
  check_output_file("--html", config.html_output);
  check_output_file("--csv", config.csv_output);
  check_output_file("--markdown", config.markdown_output);
  check_output_file("--trace", config.trace_output);
  read_results(config);
}

/// Those that were asked for.
std::vector<OutputFile> output_files(const RunConfig& config, const NamedResults& results) {
  std::vector<OutputFile> files;
  const auto add = [&](const char* option, const std::string& file, std::string (*form)(const NamedResults&)) {
    if (!file.empty()) files.push_back({option, file, form(results)});
  };
  add("--html", config.html_output, html_page);
  add("--csv", config.csv_output, samples_csv);
  add("--markdown", config.markdown_output, markdown_report);
  add("--trace", config.trace_output, chrome_trace);
  return files;
}

void print_summaries(const NamedResults& results) {
  for (const auto& [file, result] : results) {
    if (results.size() > 1) fmt::print("{}\n", printable(file));
    print_summary(result);
  }
  if (results.size() < 2) return;
  std::vector<std::string> files;
  for (const NamedResult& named : results) files.push_back(named.file);
  fmt::print("{}", format_differences(files, environment_differences(results)));
}

ExitCode execute(const RunConfig& config, Session*) {
  const NamedResults results = read_results(config);
  const std::vector<OutputFile> files = output_files(config, results);
  if (files.empty()) print_summaries(results);
  write_output_files(files);
  return ExitCode::ok;
}

}  // namespace

CommandEntry report() {
  return {.name = "report",
          .summary = "Show results again: on the terminal, as a page with charts, CSV, Markdown, or a trace",
          .add_options = add_options,
          .check = check,
          .memory_per_rank = {},
          .execute = execute};
}

}  // namespace mgbench::commands_entries

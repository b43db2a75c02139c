#include "bench/files/output_files.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "bench/files/files.h"
#include "bench/files/measurement_files.h"
#include "bench/options.h"

namespace mgbench {
namespace {

namespace fs = std::filesystem;

bool holds_a_measurement(const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return false;
  try {
    read_measurement(file);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

void check_output_file(const std::string& option, const std::string& file) {
  if (file.empty()) return;
  std::error_code ignored;
  require(fs::path(file).has_filename() && !fs::is_directory(file, ignored),
          "{} {}: a folder, expected the name of a file", option, file);
  require(!holds_a_measurement(file), "{} {}: a measurement, which would be lost; expected another file", option, file);
}

void write_output_files(const std::vector<OutputFile>& files) {
  for (const OutputFile& each : files)
    if (!each.file.empty()) require_writable_folder(folder_of(each.file));
  for (const OutputFile& each : files) {
    if (each.file.empty()) continue;
    replace_file(each.file, each.text);
    fmt::print(stderr, "mgbench: {}: {}\n", each.option.substr(2), each.file);
  }
}

void add_pipeline_options(CLI::App& app, RunConfig& config) {
  app.add_option("--markdown", config.markdown_output, "Write the table for a pull request here")->type_name("FILE");
  app.add_option("--junit", config.junit_output, "Write JUnit's XML here")->type_name("FILE");
  add_json_option(app, config);
}

void check_pipeline_options(const RunConfig& config) {
  check_output_file("--markdown", config.markdown_output);
  check_output_file("--junit", config.junit_output);
}

void write_pipeline_files(const RunConfig& config, const std::string& markdown, const std::string& junit) {
  write_output_files({{"--markdown", config.markdown_output, markdown}, {"--junit", config.junit_output, junit}});
}

}  // namespace mgbench

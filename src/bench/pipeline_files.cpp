#include "bench/pipeline_files.h"

#include <filesystem>

#include "base/error.h"
#include "bench/files.h"
#include "bench/options.h"

namespace mgbench {

void add_pipeline_options(CLI::App& app, RunConfig& config) {
  app.add_option("--markdown", config.markdown, "Write the table for a pull request here")->type_name("FILE");
  app.add_option("--junit", config.junit, "Write JUnit's XML here")->type_name("FILE");
  add_json_option(app, config);
}

void require_place_for_file(const std::string& option, const std::string& file) {
  std::error_code ignored;
  require(!std::filesystem::is_directory(file, ignored), "{} {}: is a folder, expected a file", option, file);
  require(std::filesystem::is_directory(folder_of(file), ignored), "{} {}: there is no folder {}", option, file,
          folder_of(file).string());
}

void check_pipeline_options(const RunConfig& config) {
  if (!config.markdown.empty()) require_place_for_file("--markdown", config.markdown);
  if (!config.junit.empty()) require_place_for_file("--junit", config.junit);
}

void write_pipeline_files(const RunConfig& config, const std::string& markdown, const std::string& junit) {
  if (!config.markdown.empty()) replace_file(config.markdown, markdown);
  if (!config.junit.empty()) replace_file(config.junit, junit);
}

}  // namespace mgbench

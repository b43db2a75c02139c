#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "bench/run_config.h"

namespace mgbench {

/// A file that an option asks for. Its text can be made again from measurements, so it is written in the place of an
/// earlier one: a pipeline looks for it under the name that it gave.
struct OutputFile {
  std::string option;  ///< "--html"
  std::string file;    ///< empty: not asked for
  std::string text;
};

/// Throws Error where `file` is a folder, or holds a measurement, which could not be made again.
void check_output_file(const std::string& option, const std::string& file);

/// Writes those that were asked for and says so on standard error; makes folders that are missing. Throws Error before
/// anything is written where a folder cannot be.
void write_output_files(const std::vector<OutputFile>& files);

// Of the commands that judge: --json, --markdown, --junit.

void add_pipeline_options(CLI::App& app, RunConfig& config);
void check_pipeline_options(const RunConfig& config);
void write_pipeline_files(const RunConfig& config, const std::string& markdown, const std::string& junit);

}  // namespace mgbench

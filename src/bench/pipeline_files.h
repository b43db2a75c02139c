#pragma once

#include <CLI/App.hpp>
#include <string>

#include "bench/run_config.h"

namespace mgbench {

// What commands that judge hand to a pipeline: --json, --markdown, --junit.

void add_pipeline_options(CLI::App& app, RunConfig& config);

/// Throws Error where a file could not be: its folder is missing, or it is a folder.
void check_pipeline_options(const RunConfig& config);
void require_place_for_file(const std::string& option, const std::string& file);

/// Writes those that were asked for, in the place of earlier ones.
void write_pipeline_files(const RunConfig& config, const std::string& markdown, const std::string& junit);

}  // namespace mgbench

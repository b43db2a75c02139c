#pragma once

#include <CLI/App.hpp>

#include "bench/run_config.h"

namespace mgbench {

/// Options that several commands share; each adds the ones that it understands.
void add_rank_options(CLI::App& app, RunConfig& config);      ///< -n, --nodes, --launcher, --dry-run, --threads, ...
void add_network_options(CLI::App& app, RunConfig& config);   ///< --model, --backend, --batch, --profile
void add_strategy_options(CLI::App& app, RunConfig& config);  ///< --strategy and what strategies may be told
void add_plan_option(CLI::App& app, RunConfig& config);       ///< --plan
void add_communicator_options(CLI::App& app,
                              RunConfig& config);        ///< --communicator, --interconnect, --as-ranks
void add_json_option(CLI::App& app, RunConfig& config);  ///< --json

/// All that training takes (run, tune).
void add_training_options(CLI::App& app, RunConfig& config);

/// The checks that go with them.
void check_rank_options(const RunConfig& config);
void check_network_options(const RunConfig& config);
void check_communicator_options(const RunConfig& config);
void check_communicator_fits_backend(const RunConfig& config);
void check_training_options(const RunConfig& config);

}  // namespace mgbench

#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <map>
#include <string>

#include "base/registry.h"
#include "bench/mpi/mpi_session.h"
#include "bench/mpi/process_group.h"
#include "bench/run_config.h"
#include "bench/watch/watchdog.h"

namespace mgbench {

/// MPI, for the commands that need ranks.
struct Session {
  MpiSession& mpi;
  ProcessGroup& group;
  Watchdog& watchdog;
};

/// One subcommand of the program.
struct CommandEntry {
  std::string name;
  std::string summary;
  std::function<void(CLI::App&, RunConfig&)> add_options;
  /// Throws Error for every wrong input that can be seen before ranks are started. Writes nothing.
  std::function<void(const RunConfig&)> check;
  /// Of one rank; empty for commands that run without MPI. The others, typed bare, start their own ranks.
  std::function<Bytes(const RunConfig&)> memory_per_rank;
  /// `session` is null for commands that run without MPI.
  std::function<ExitCode(const RunConfig&, Session* session)> execute;
  /// Whether a command that has ranks does without them this time; empty: never.
  std::function<bool(const RunConfig&)> without_ranks = {};
  /// Variables that MPI_Init has to find in the environment; empty: none.
  std::function<std::map<std::string, std::string>(const RunConfig&)> mpi_environment = {};

  bool needs_ranks(const RunConfig& config) const {
    return memory_per_rank && !(without_ranks && without_ranks(config));
  }
};

Registry<CommandEntry>& commands();

}  // namespace mgbench

#pragma once

#include <map>
#include <string>

#include "base/error.h"

namespace mgbench {

/// MPI from start to end of the process. Asks for MPI_THREAD_SERIALIZED: a helper thread of the data plane
/// and the control plane never call MPI at the same time. MPI_THREAD_MULTIPLE would switch fast transports
/// off in some builds.
class MpiSession {
 public:
  MpiSession(int& argc, char**& argv);
  /// Does not wait for the other ranks when an exception is on its way: abort_job() ends them.
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  /// MPI_THREAD_SINGLE, ... MPI_THREAD_MULTIPLE, as provided.
  int thread_level() const { return thread_level_; }

  /// MPI's variables that mgbench sets, or would if the user had not ("set by user: 3"). Part of every
  /// result.
  const std::map<std::string, std::string>& settings() const { return settings_; }

 private:
  int thread_level_ = 0;
  int exceptions_ = 0;  ///< in flight at construction
  std::map<std::string, std::string> settings_;
};

/// "Open MPI v4.1.4"; also before MPI_Init.
std::string mpi_library_version();

/// "MPI_THREAD_FUNNELED", ...
const char* thread_level_name(int level);

/// Why a helper thread cannot call MPI here; empty when it can, and before MPI_Init.
std::string helper_thread_obstacle();

/// Throws Error(bad_input) when `provided` does not let a helper thread call MPI.
void require_helper_thread(int provided);
/// The same with what this process was given.
void require_helper_thread();

/// Ends all ranks with `code`, for the one catch in main. Prints nothing (the launcher may).
[[noreturn]] void abort_job(ExitCode code);

/// The same from another thread than MPI's, while that one may hang inside MPI. Takes at most five seconds.
[[noreturn]] void abort_job_from_helper(ExitCode code);

}  // namespace mgbench

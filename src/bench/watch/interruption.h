#pragma once

#include <string>

#include "base/error.h"
#include "base/units.h"
#include "bench/mpi/process_group.h"

namespace mgbench {

/// Signals within this time are one: schedulers and launchers both forward the same.
constexpr Seconds kOneSignal = 1;

/// While it lives, a first SIGINT, SIGTERM or SIGUSR1 (which Slurm sends before the time limit, if asked to) is noted
/// instead of ending the process. A second one, after kOneSignal, ends it.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// Becomes readable when it comes; of any thread.
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

/// The first one that this process got while an Interruption lives; 0: none.
int noted_signal();
/// The largest number that any rank noted. Collective.
int noted_signal(ProcessGroup& group);

/// The share of a budget that is spent after `elapsed`: all of it, at least, for who has noted a signal.
double share_spent(Seconds elapsed, Seconds budget);

/// "SIGTERM"; for those above, and SIGHUP.
const char* signal_name(int signal);

/// All ranks throw it together: the job ends in order, and nobody need be told by an abort.
class Interrupted : public Error {
 public:
  explicit Interrupted(const std::string& message) : Error(ExitCode::not_measured, message) {}
};

/// Throws Interrupted "stopped by SIGTERM before `stage`" where any rank noted a signal. Collective.
void stop_if_told(ProcessGroup& group, const std::string& stage);

}  // namespace mgbench

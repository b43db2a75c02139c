#pragma once

#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "base/units.h"
#include "bench/clock.h"
#include "bench/watch/watchdog.h"
#include "report/run_result.h"

namespace mgbench {

/// What a run has measured so far, on rank 0: a result of its own beside where the result will be, NAME.json.partial,
/// readable by its owner alone, so that a crash loses at most the last second. Reports read it as any result.
class Journal {
 public:
  /// `command`: "run", for the name. Nothing is written before the first keep().
  Journal(std::filesystem::path folder, std::string command, Clock& clock = steady_clock());
  /// What was not discarded becomes a result if an exception is on its way, and stays what it is otherwise.
  ~Journal();
  /// A job that `watchdog` ends has its journal broken off before.
  void entrust_to(Watchdog& watchdog);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// After so many rounds. Writes what `so_far` returns, and asks for it, at most once a second. A file that cannot be
  /// written is said once on standard error and ends nothing.
  void keep(int rounds, const std::function<RunResult()>& so_far);

  /// Turns what was kept into a result that says `why`, and tells its name on standard error. Of any thread; nothing
  /// where nothing was kept, or it cannot be written.
  void break_off(const std::string& why);

  /// The result is written: removes the file.
  void discard();

 private:
  void write(const RunResult& result);

  std::filesystem::path folder_;
  std::string command_;
  Clock& clock_;
  Watchdog* watchdog_ = nullptr;
  int exceptions_;  ///< in flight at construction
  std::optional<Seconds> kept_at_;
  bool complained_ = false;
  std::mutex mutex_;  ///< guards what follows; not held while a file is written by keep()
  std::filesystem::path file_;
  std::optional<RunResult> kept_;
  int rounds_ = 0;
};

}  // namespace mgbench

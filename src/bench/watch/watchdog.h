#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/units.h"
#include "bench/mpi/process_group.h"

namespace mgbench {

class WatchdogRole;

/// Ends the job, with a word on which rank is to blame, where one has died, was stopped or hangs (docs/method.md, "When
/// something breaks"). A thread that sleeps, about once a second, tells rank 0 by UDP what activity() says of this
/// rank; rank 0 answers. Before MPI has started, and where there is no UDP between the ranks, each watches itself.
class Watchdog {
 public:
  struct Request {
    int rank = 0;
    std::string host;                 ///< this rank's
    std::optional<Seconds> patience;  ///< see Patience
    int interruption =
        -1;  ///< descriptor that is readable when this process is told to end: rank 0 then asks who is left
  };

  /// Watches this rank alone: for the start of MPI, and the first messages between ranks.
  explicit Watchdog(Request request);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// From now on rank 0 watches all. Collective.
  void connect(ProcessGroup& group);

  /// Why ranks watch only themselves; empty: rank 0 watches all. On all ranks.
  const std::string& remark() const { return remark_; }

  /// To be done on this rank, by another thread, before the job is ended, with what is said of it. Five seconds are
  /// waited for it. Does not return where the job is being ended.
  void before_end(std::function<void(const std::string& why)> action);

 private:
  void start(std::shared_ptr<WatchdogRole> role, int interruption);
  void stop();
  void watch(WatchdogRole& role, int interruption);
  [[noreturn]] void end_job(const std::string& why);

  Request request_;
  Seconds interval_;
  std::string remark_;
  std::mutex mutex_;                                    ///< held for good by who ends the job
  std::function<void(const std::string&)> before_end_;  ///< guarded by mutex_
  int stop_event_ = -1;
  std::shared_ptr<WatchdogRole> role_;
  std::thread thread_;
};

}  // namespace mgbench

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "bench/watch/heartbeat.h"

namespace mgbench {

// Who has died, hangs or was cut off: decided from heartbeats and times alone, without a clock or a network.

/// How long nobody may move or a rank may be silent: what the user says, else 30 s, and for moving five times what is
/// expected of what is going on, if that is more.
class Patience {
 public:
  explicit Patience(std::optional<Seconds> given) : given_(given) {}
  Seconds silent() const;
  Seconds still(Seconds expected) const;

 private:
  std::optional<Seconds> given_;
};

/// Time for which a watcher was awake: between two looks at most twice `interval` counts. A job that is suspended as a
/// whole and continued later has lost nothing, and what it slept through accuses nobody.
class AwakeTime {
 public:
  explicit AwakeTime(Seconds interval) : longest_(2 * interval) {}
  /// `now` of any monotonic clock.
  void look(Seconds now);
  Seconds now() const { return awake_; }

 private:
  Seconds longest_;
  std::optional<Seconds> last_;
  Seconds awake_ = 0;
};

/// Why a job is to be ended.
struct Finding {
  std::vector<int> ranks;  ///< those to blame; all where nobody can be told from the others
  std::string text;        ///< who, where, in what, for how long
};

/// Rank 0's view of all ranks, itself among them. Constant work for a heartbeat, one pass over the ranks for a check.
class RankWatch {
 public:
  /// `hosts` by rank. `interval`: between checks.
  RankWatch(std::vector<std::string> hosts, std::optional<Seconds> patience, Seconds interval);

  /// Heartbeats that are older than what is known already are ignored.
  void hear(const Heartbeat& beat);

  /// A rank is to blame that is silent for too long; or, where no rank has moved for too long, those that have entered
  /// the fewest collectives and messages, since all others wait for them.
  std::optional<Finding> check(Seconds now);

  /// Who of the other ranks has not been heard since begin_roll_call().
  void begin_roll_call();
  bool all_have_answered() const { return missing_ == 0; }
  std::optional<Finding> end_roll_call() const;

 private:
  struct Rank {
    std::string host;
    Heartbeat last;
    bool known = false;
    bool answered = true;
    Seconds heard_at = 0;
  };

  std::string names(const std::vector<int>& ranks) const;
  std::string last_words(int rank) const;
  std::optional<Finding> find_silent() const;
  Finding find_laggards(Seconds still) const;

  std::vector<Rank> ranks_;
  Patience patience_;
  AwakeTime time_;
  Seconds moved_at_ = 0;  ///< any rank
  Seconds longest_ = 0;   ///< time between moves, so far
  std::size_t missing_ = 0;
};

// Where several ranks find the same, they speak up one after the other, so that the first one ends the job before all
// say it.

/// Another rank's view of rank 0, which answers heartbeats.
class RootWatch {
 public:
  RootWatch(int rank, std::string host_of_root, std::optional<Seconds> patience, Seconds interval);
  void hear() { heard_at_ = time_.now(); }
  std::optional<std::string> check(Seconds now);

 private:
  std::string host_;
  Seconds limit_;
  AwakeTime time_;
  Seconds heard_at_ = 0;
};

/// How long a rank may wait for others that cannot be told from one that waits in vain: as long as for its own work, or
/// ten times as long, where another rank may be at work for so long.
enum class Waits { as_work, long_ones };

/// A rank's view of itself, where it hears of no other.
class SelfWatch {
 public:
  SelfWatch(int rank, const std::string& host, std::optional<Seconds> patience, Seconds interval, Waits waits);
  std::optional<std::string> check(Seconds now, const Heartbeat& own);

 private:
  std::string name_;
  Patience patience_;
  AwakeTime time_;
  Waits waits_;
  Seconds turn_;
  Heartbeat last_;
  Seconds moved_at_ = 0;
  Seconds longest_ = 0;
};

}  // namespace mgbench

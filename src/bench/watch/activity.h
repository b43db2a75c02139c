#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

#include "base/units.h"

namespace mgbench {

/// What this rank does right now, for the thread that watches it. In timed regions the working threads only store
/// relaxed atomics.
class Activity {
 public:
  /// What the working thread is in; all but `other` within an iteration or a collective.
  enum class Part : std::uint8_t { other, forward, backward, messages, update, ranks };

  struct State {
    std::string doing;           ///< "measuring, round 3: wfbp: backward"
    std::uint64_t position = 0;  ///< collectives and messages entered so far; ranks enter them in the same order
    std::uint64_t pulse = 0;     ///< changes while work goes on
    bool waiting = false;        ///< for other ranks
    Seconds expected = 0;        ///< the longest stretch without a change of pulse or position; 0: not known
  };

  /// "calibrating"; forgets detail and expectation. Outside of timed regions, as the next two.
  void begin(const std::string& stage);
  void detail(const std::string& text);
  /// How long the stage may go on without a sign of progress, at most, as far as one can tell.
  void expect(Seconds longest);

  /// Of the working thread alone.
  void enter(Part part) {
    part_.store(part, std::memory_order_relaxed);
    advance();
  }
  void advance() { pulse_.store(pulse_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }
  Part part() const { return part_.load(std::memory_order_relaxed); }

  /// A collective or a message has been entered; of any thread.
  void pass() {
    auto& count = among_some_.load(std::memory_order_relaxed) ? passed_among_some_ : position_;
    count.fetch_add(1, std::memory_order_relaxed);
  }
  /// What only some of the ranks enter is no position among all.
  void among_some(bool yes) { among_some_.store(yes, std::memory_order_relaxed); }

  State read() const;

 private:
  std::atomic<Part> part_{Part::other};
  std::atomic<std::uint64_t> position_{0};
  std::atomic<std::uint64_t> pulse_{0};
  std::atomic<bool> among_some_{false};
  std::atomic<std::uint64_t> passed_among_some_{0};
  mutable std::mutex mutex_;  ///< guards what follows
  std::string stage_ = "starting";
  std::string detail_;
  Seconds expected_ = 0;
};

/// This process's: a rank is a process.
Activity& activity();

/// For the length of what only this and some other ranks do together.
class AmongSomeRanks {
 public:
  AmongSomeRanks() { activity().among_some(true); }
  ~AmongSomeRanks() { activity().among_some(false); }
  AmongSomeRanks(const AmongSomeRanks&) = delete;
  AmongSomeRanks& operator=(const AmongSomeRanks&) = delete;
};

/// For the length of a collective call.
class WaitForRanks {
 public:
  WaitForRanks() : before_(activity().part()) {
    activity().pass();
    activity().enter(Activity::Part::ranks);
  }
  ~WaitForRanks() { activity().enter(before_); }
  WaitForRanks(const WaitForRanks&) = delete;
  WaitForRanks& operator=(const WaitForRanks&) = delete;

 private:
  Activity::Part before_;
};

}  // namespace mgbench

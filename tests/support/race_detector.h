#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/units.h"

namespace mgbench {

/// How much of each actor's past somebody knows to have happened: a vector clock. Actors are streams and threads.
class Knowledge {
 public:
  void learn(const Knowledge& other) {
    if (steps_.size() < other.steps_.size()) steps_.resize(other.steps_.size());
    for (std::size_t i = 0; i < other.steps_.size(); ++i) steps_[i] = std::max(steps_[i], other.steps_[i]);
  }
  /// A step of an actor's own.
  std::uint64_t step(std::size_t actor) {
    if (steps_.size() <= actor) steps_.resize(actor + 1);
    return ++steps_[actor];
  }
  bool knows(std::size_t actor, std::uint64_t step) const { return actor < steps_.size() && steps_[actor] >= step; }

 private:
  std::vector<std::uint64_t> steps_;
};

/// A part of memory that somebody reads or writes.
struct Access {
  const void* memory = nullptr;
  Bytes bytes = 0;
  bool writes = false;
};

/// Finds accesses to the same memory, one of them a write, of which neither is known to happen before the other,
/// however the times may have fallen.
class RaceDetector {
 public:
  /// `actor` does `what`, its `step`-th, knowing `knowledge`.
  void access(const std::string& what, const Access& access, std::size_t actor, std::uint64_t step,
              const Knowledge& knowledge) {
    const auto* begin = static_cast<const std::byte*>(access.memory);
    const auto* end = begin + access.bytes;
    for (const Past& past : past_)
      if (past.begin < end && begin < past.end && (past.writes || access.writes) &&
          !knowledge.knows(past.actor, past.step))
        races_.insert(past.what + " / " + what);
    // What is covered by a write after it, or by the same actor's next read, can race with nothing that this cannot.
    std::erase_if(past_, [&](const Past& past) {
      const bool covered = begin <= past.begin && past.end <= end && knowledge.knows(past.actor, past.step);
      return covered && (access.writes || (!past.writes && past.actor == actor));
    });
    past_.push_back({what, begin, end, access.writes, actor, step});
  }

  /// The memory is given up.
  void forget(const void* memory, Bytes bytes) {
    const auto* begin = static_cast<const std::byte*>(memory);
    std::erase_if(past_, [&](const Past& past) { return past.begin < begin + bytes && begin < past.end; });
  }

  /// "copy / allreduce": the second was not made to wait for the first.
  const std::set<std::string>& races() const { return races_; }

 private:
  struct Past {
    std::string what;
    const std::byte* begin;
    const std::byte* end;
    bool writes;
    std::size_t actor;
    std::uint64_t step;
  };

  std::vector<Past> past_;
  std::set<std::string> races_;
};

}  // namespace mgbench

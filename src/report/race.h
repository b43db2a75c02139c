#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "report/round_times.h"

namespace mgbench {

// Which of several schedules, measured side by side in rounds, is fastest: a sequential test that assumes nothing of
// the distribution of times (docs/method.md, "Tuning").

struct Racer {
  RoundTimes times;
  bool fixed = false;  ///< a strategy, against which the others must prove themselves
  bool left = true;    ///< not dropped
};

/// How much likelier it is to be slower in `slower` of `rounds` rounds for one that tends to be slower than for one
/// that is as often faster. Of those that do not tend to be slower at most one in x exceeds x, at any time.
double evidence_of_slower(std::size_t slower, std::size_t rounds);

struct Loss {
  std::size_t loser = 0;
  std::size_t winner = 0;
  std::size_t rounds = 0;  ///< in which both have times
};

/// Those that a look at this point drops: certainly slower than the one with the least median. The fastest fixed one
/// stays. Whatever the number of looks, the truly fastest is dropped in at most 5 % of races.
std::vector<Loss> losses(const std::vector<Racer>& racers);

struct RaceEnd {
  std::size_t chosen = 0;
  std::size_t leader = 0;                 ///< has the least median of those left
  std::optional<std::size_t> best_fixed;  ///< the fixed one with the least median of those left; none without one
};

/// The leader where the 95 % interval shows it to be faster than the best fixed one, else that. Passed over is, as long
/// as there are others, who is measurably slower than any fixed one, dropped ones included. None when nobody that is
/// left has a time.
std::optional<RaceEnd> conclude(const std::vector<Racer>& racers);

}  // namespace mgbench

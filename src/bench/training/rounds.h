#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/terminal/progress.h"
#include "bench/training/trainer.h"
#include "bench/watch/interruption.h"

namespace mgbench {

/// One schedule among those that are measured side by side.
struct Contestant {
  std::string name;
  std::optional<Schedule> schedule = Schedule{};  ///< none: rank 0 alone, without communication
  bool sums = true;  ///< keeps ranks equal; else the network's state is put back after each block
  int every = 1;     ///< takes part in every so many rounds; above one, the rounds do not wait for its certainty
  std::vector<IterationRecord> records = {};  ///< this rank's
  std::vector<Sample> samples = {};           ///< agreed over the ranks
  std::optional<Dropped> dropped = {};        ///< takes no part any more

  MedianEstimate iteration() const;  ///< over rounds
};

/// Fewer have no 95 % interval.
constexpr int kEnoughRounds = kLeastSamples;

/// "1 round", "6 rounds".
std::string format_rounds(int rounds);

/// How rounds came to their end.
struct RoundsEnd {
  std::string reason;
  int rounds = 0;        ///< whole ones
  bool stopped = false;  ///< by a signal
  bool too_short() const { return rounds < kEnoughRounds; }
};

/// Called after each round, on all ranks with equal samples: may drop contestants. A reason ends the rounds.
using RoundsJudge = std::function<std::string(std::vector<Contestant>&)>;

struct RoundsRequest {
  Seconds deadline = 0;   ///< on the steady clock
  Seconds patience = 0;   ///< takes the place of `deadline` until there are enough rounds for an interval
  Seconds iteration = 0;  ///< expected, to choose the length of a block
  std::uint64_t seed = 1;
  int least_rounds = 8;    ///< blocks are short enough for so many to fit: six, and some reserve
  int most_rounds = 100;   ///< what is not certain by then is not for want of samples
  double within = 0.02;    ///< a median is certain once its interval is within this share of it; 0: never
  RoundsJudge judge = {};  ///< none: the rounds end when every median is certain
  /// Asked before each block: one that any rank got (not 0) ends the rounds on all.
  std::function<int()> signal = [] { return noted_signal(); };
  std::function<void(int rounds)> after_round = {};  ///< how many there were
};

/// Iterations of a block that count, one more being discarded, where `blocks` blocks are to fit `available` and an
/// iteration takes `iteration`. Longer blocks waste less on the first one, more rounds see more of the machine's moods,
/// and intervals need six: as long as fit, but no longer than ten; one where none does.
int block_length(Seconds available, Seconds iteration, double blocks);

/// Round after round, each contestant as a block, in an order shuffled by the seed, until every median is
/// certain (or the judge says so) or the next round would end after the deadline; one round is always run.
/// Collective.
RoundsEnd measure_rounds(Trainer& trainer, std::vector<Contestant>& contestants, const RoundsRequest& request,
                         Progress& progress);

}  // namespace mgbench

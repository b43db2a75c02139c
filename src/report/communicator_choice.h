#pragma once

#include <string>
#include <vector>

#include "base/units.h"
#include "report/statistics.h"

namespace mgbench {

/// What a communicator did beside computation; a value for each round, of the slowest rank.
struct CommunicatorRounds {
  std::string communicator;
  std::vector<Seconds> iteration;
  std::vector<Seconds> computation;          ///< backward with messages beside it
  std::vector<Seconds> computation_without;  ///< the same without messages, in the same round
  std::vector<Seconds> exposed;              ///< between the end of backward and the end of the last message
  std::vector<Seconds> alone;                ///< of the same messages with nothing beside them
};

/// The same as figures: medians over the rounds.
struct CommunicatorFigures {
  std::string communicator;
  MedianEstimate iteration;
  Seconds alone = 0;
  Seconds exposed = 0;
  double hidden = 0;    ///< share of the messages' time: 1 - exposed / alone, from 0 to 1
  double slowdown = 1;  ///< computation with messages / without, paired
};

/// Which communicator a run took by itself, and why.
struct CommunicatorChoice {
  std::string chosen;
  std::string reason;                           ///< one sentence
  std::vector<CommunicatorFigures> candidates;  ///< in the order of preference
};

/// Takes the shortest iteration; of candidates that cannot be distinguished from it (the interval of the paired ratio
/// holds 1; where there is no interval, the median ratio is under 1.05) the first, unless
/// another one certainly slows computation less and hides as much. `probe` says what iterations
/// they are ("under a probe schedule"). Throws Error without candidates, or when one has no rounds or lists of
/// different lengths.
CommunicatorChoice choose_communicator(const std::vector<CommunicatorRounds>& candidates, const std::string& probe);

}  // namespace mgbench

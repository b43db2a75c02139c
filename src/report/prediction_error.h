#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/run_result.h"

namespace mgbench {

/// Where a strategy's measured iteration and its predicted one part, in seconds (positive: longer than predicted).
///
/// The measured iteration ends with a chain of messages, each of which waited for the one before; the chain's first
/// waited for its gradients. Along that chain
///   end of the last message = ready_first + (start_first - ready_first) + sum of gaps + sum of (end - start),
/// measured as well as predicted, and each part below is the difference of one term. The parts add up to
/// `total` exactly.
struct PredictionError {
  Seconds total = 0;        ///< measured (median of the slowest rank) less predicted iteration
  Seconds computation = 0;  ///< until the chain's first message was ready, and the update
  Seconds starting = 0;     ///< between gradients that are ready and the start; gaps; noticing the last end
  Seconds transfer = 0;     ///< messages with all ranks in
  Seconds waiting =
      0;               ///< messages, for a rank that came later or noticed the end later; 0 where it was not told apart
  Seconds hidden = 0;  ///< what the prediction saw behind computation and was not, or the reverse
  Seconds rest = 0;    ///< of rank 0, whose times these are, to the slowest; of the terms' medians to the whole's
  std::optional<std::size_t> message;  ///< the chain's message that took the most longer (or less) than predicted
  Seconds message_excess = 0;          ///< by how much

  /// Everything but `total`, with what a reader calls it.
  std::vector<std::pair<std::string, Seconds>> parts() const;
};

/// None without samples, or when prediction and measurement have different messages.
std::optional<PredictionError> prediction_error(const StrategyResult& strategy);

/// "wfbp +12.3 ms (+4.1 %): messages +9.1 ms, waiting for later ranks +2.9 ms"; the parts that matter, largest first.
std::string format_prediction_error(const std::string& strategy, const PredictionError& error, Seconds predicted);

}  // namespace mgbench

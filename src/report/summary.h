#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/prediction_error.h"
#include "report/run_result.h"

namespace mgbench {

/// One row of the side-by-side table.
struct SummaryRow {
  std::string strategy;
  std::vector<std::string> same;  ///< others with the same plan
  std::size_t messages = 0;
  std::size_t samples = 0;   ///< that count
  std::size_t rejected = 0;  ///< samples that do not
  MedianEstimate iteration;  ///< over rounds
  Seconds forward = 0;
  Seconds backward = 0;
  Seconds overlap_cost = 0;  ///< backward with communication less backward without
  Seconds exposed = 0;
  double throughput = 0;  ///< images a second of all ranks
  /// This strategy's time / MG-WFBP's, paired by round; none for MG-WFBP itself.
  std::optional<MedianEstimate> mg_wfbp_speedup;
  Seconds predicted = 0;
  Seconds predicted_no_overlap = 0;  ///< as if messages and computation did not disturb each other
  double prediction_error = 0;       ///< predicted / measured - 1
  std::optional<PredictionError> prediction_parts;
  std::optional<double> efficiency;
  std::string failure;
};

/// WFBP, SyncEASGD and MG-WFBP first. A strategy that failed, or without a sample to trust, has a failure and
/// no numbers.
std::vector<SummaryRow> summarize(const RunResult& result);

/// other's time / own time over the rounds in which both have samples that count; none without such a round.
std::optional<MedianEstimate> paired_ratio(const StrategyResult& other, const StrategyResult& own);

/// What a reader is told beside the table, a sentence each: the verdict first, then what stands behind the numbers.
std::vector<std::string> summary_sentences(const RunResult& result);

/// The table and the sentences below it, for a terminal of `width` columns: 80 are enough for everything.
std::string format_summary(const RunResult& result, std::size_t width = 100);

/// The values of `--json` for standard output: a list with one object a strategy, with `strategy`,
/// `iteration_seconds`, `predicted_iteration_seconds` and the other columns. A failed strategy's are null.
std::string summary_to_json(const RunResult& result);

}  // namespace mgbench

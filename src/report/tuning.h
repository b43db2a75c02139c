#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/plan_file.h"
#include "report/run_result.h"
#include "report/table.h"

namespace mgbench {

/// One contestant of `mgbench tune`. Times are medians of rounds' medians.
struct TuningRow {
  std::string name;
  std::string origin;             ///< empty: a strategy
  std::vector<std::string> same;  ///< others with the same plan
  bool fixed = false;             ///< a strategy
  std::size_t messages = 0;
  MedianEstimate iteration;  ///< over rounds
  Seconds predicted = 0;
  std::optional<Dropped> dropped;
  std::optional<MedianEstimate>
      against_chosen;   ///< its time / the chosen one's; none for that, and without a common round
  std::string failure;  ///< empty: it has times
};

/// What tuning came to: derived from a result whose rounds were a race.
struct Tuning {
  std::vector<TuningRow> rows;        ///< those that stayed by median, then the dropped ones, then the failed ones
  std::optional<std::size_t> chosen;  ///< none: nobody has times
  std::optional<std::size_t> leader;
  std::optional<std::size_t> best_fixed;

  /// The row of this name, or whose plan is the same; none where there is none.
  const TuningRow* find(const std::string& name) const;
};

Tuning summarize_tuning(const RunResult& result);

/// The chosen plan, to be saved. Throws Error when there is none.
PlanFile chosen_plan(const RunResult& result, const Tuning& tuning);

/// Where the chosen plan was saved, and what runs it; empty: there is none.
struct SavedPlan {
  std::string file;
  std::string command;
};

std::string format_tuning(const RunResult& result, const Tuning& tuning, const SavedPlan& saved,
                          std::size_t width = kDefaultWidth);
std::string tuning_to_json(const RunResult& result, const Tuning& tuning, const SavedPlan& saved);

}  // namespace mgbench

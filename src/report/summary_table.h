#pragma once

#include <string>
#include <vector>

#include "report/summary.h"
#include "report/table.h"

namespace mgbench {

/// What was run, where: the first line of every report on a run.
std::string run_title(const RunResult& result);

/// Every column.
Table summary_table(const std::vector<SummaryRow>& rows, bool emulated);

/// One wide table where there is room, else two, and in the narrowest form the interval as a percentage. All
/// of them say so when the times are `emulated`.
std::string format_summary_table(const std::vector<SummaryRow>& rows, bool emulated, std::size_t width);

}  // namespace mgbench

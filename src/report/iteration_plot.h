#pragma once

#include <string>
#include <vector>

#include "report/summary.h"

namespace mgbench {

/// Iterations of the strategies that have times as marks on one axis of time, of which both ends are told: the median
/// "o" inside of its 95 % interval "|--o--|". The axis begins at the least of them and not at zero, so that
/// differences show. `color`: the shortest is green, by the escape sequences of ECMA-48. ASCII but for these and names;
/// empty for fewer than two strategies, or where nothing differs.
std::string iteration_plot(const std::vector<SummaryRow>& rows, std::size_t width, bool color);

}  // namespace mgbench

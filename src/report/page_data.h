#pragma once

#include <vector>

#include "report/json.h"
#include "report/named_result.h"

namespace mgbench {

/// What the page's script draws (src/report/page). Seconds and bytes. At most two thousand samples of a strategy,
/// evenly taken, stand for all of them; medians and intervals are those of all.
Json page_data(const std::vector<NamedResult>& results);

}  // namespace mgbench

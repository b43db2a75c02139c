#pragma once

#include <string>
#include <vector>

#include "report/named_result.h"

namespace mgbench {

/// One page that holds everything that it shows: it works from a file and asks no network. Its texts are in
/// src/report/page; the script there makes tables and charts of page_data(), and text nodes of every text in it, so
/// that no name can become markup. Without Apache ECharts at build time it has no charts and says so.
std::string html_page(const std::vector<NamedResult>& results);

}  // namespace mgbench

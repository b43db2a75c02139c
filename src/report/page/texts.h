#pragma once

#include <string_view>

namespace mgbench {

// The files of this folder, compiled in by cmake/Embed.cmake.
extern const std::string_view kPageHtml;      ///< with {{name}} where the others go
extern const std::string_view kPageStyle;     ///< page.css
extern const std::string_view kPageElements;  ///< elements.js
extern const std::string_view kPageCharts;    ///< charts.js
extern const std::string_view kPageScript;    ///< page.js
extern const std::string_view kPageEcharts;   ///< Apache ECharts; empty where it was not there

}  // namespace mgbench

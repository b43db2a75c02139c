#pragma once

#include <string>
#include <vector>

#include "report/run_result.h"
#include "report/tuning.h"

namespace mgbench {

// What scripts read at the end of a command's output: a line a figure, "key: value unit" (docs/pipelines.md). Keys and
// units never change; a figure that was not measured has no line.

struct Figure {
  std::string key;  ///< "iteration/mg-wfbp"
  double value = 0;
  std::string unit;  ///< "s", "GB/s", "%" or "ratio"
};

/// Of strategies: iteration and efficiency, and up to three strategies its interval and the prediction's error, too.
/// Of the ranks and the calibration: rank_spread, latency and bus_bandwidth.
std::vector<Figure> run_figures(const RunResult& result);

/// The iterations of the strategies and, as "tuned", of the plan that was chosen; ranks and calibration as above.
std::vector<Figure> tuning_figures(const RunResult& result, const Tuning& tuning);

/// A heading and the lines; six digits.
std::string format_figures(const std::vector<Figure>& figures);

}  // namespace mgbench

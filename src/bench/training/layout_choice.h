#pragma once

#include <string>
#include <vector>

#include "base/units.h"
#include "bench/network.h"

namespace mgbench {

/// What iterations take in one layout.
struct LayoutTimes {
  std::vector<Seconds> iterations;  ///< of the slowest rank each
  std::string obstacle;             ///< why there are none; else empty
};

struct LayoutChoice {
  Layout layout = Layout::channels_first;
  std::string why;    ///< "measured", the same wherever the choice is
  std::string times;  ///< "1.20 ms an iteration, channels-first 1.52 ms"; empty: not measured
};

/// Channels last where that is faster beyond doubt: where the 95 % intervals of the two medians do not meet. Every
/// layer takes channels first, so that those must have times.
LayoutChoice choose_layout(const LayoutTimes& channels_first, const LayoutTimes& channels_last);

/// "channels-last, measured"
std::string describe(const LayoutChoice& choice);
/// The same with the times.
std::string layout_remark(const LayoutChoice& choice);

}  // namespace mgbench

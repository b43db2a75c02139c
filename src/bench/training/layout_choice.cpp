#include "bench/training/layout_choice.h"

#include <fmt/format.h>

#include "bench/backends/layout.h"
#include "report/statistics.h"

namespace mgbench {
namespace {

/// Whether all of an interval lies below the other one.
bool below(const MedianEstimate& left, const MedianEstimate& right) {
  return left.interval && right.interval && left.interval->high < right.interval->low;
}

}  // namespace

LayoutChoice choose_layout(const LayoutTimes& channels_first, const LayoutTimes& channels_last) {
  if (!channels_last.obstacle.empty())
    return {.layout = Layout::channels_first,
            .why = fmt::format("since {} cannot be used: {}", name_of(Layout::channels_last), channels_last.obstacle),
            .times = ""};
  const MedianEstimate first = estimate_median(channels_first.iterations);
  const MedianEstimate last = estimate_median(channels_last.iterations);
  const auto said = [](const MedianEstimate& chosen, Layout other, const MedianEstimate& of_other) {
    return fmt::format("{} an iteration, {} {}", format_seconds(chosen.median), name_of(other),
                       format_seconds(of_other.median));
  };
  if (below(last, first))
    return {.layout = Layout::channels_last, .why = "measured", .times = said(last, Layout::channels_first, first)};
  return {.layout = Layout::channels_first,
          .why = "measured",
          .times = said(first, Layout::channels_last, last) + (below(first, last) ? "" : ", not distinguishable")};
}

std::string describe(const LayoutChoice& choice) {
  return fmt::format("{}, {}", name_of(choice.layout), choice.why);
}

std::string layout_remark(const LayoutChoice& choice) {
  return fmt::format("activations: {}{}{}", describe(choice), choice.times.empty() ? "" : ": ", choice.times);
}

}  // namespace mgbench

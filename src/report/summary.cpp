#include "report/summary.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "report/round_times.h"

namespace mgbench {
namespace {

constexpr std::string_view kMgWfbp = "mg-wfbp";

std::size_t place(const StrategyResult& result) {
  static constexpr std::array<std::string_view, 3> kFirst{"wfbp", "synceasgd", kMgWfbp};
  return static_cast<std::size_t>(std::find(kFirst.begin(), kFirst.end(), result.strategy) - kFirst.begin());
}

/// Median of one component over the samples that count; `otherwise` where none does.
Seconds median_of(const std::vector<Sample>& samples, Seconds Sample::*component, Seconds otherwise = 0) {
  std::vector<double> values;
  for (const Sample& sample : samples)
    if (!sample.rejected) values.push_back(sample.*component);
  return values.empty() ? otherwise : median(values);
}

SummaryRow summarize(const StrategyResult& strategy, const RunResult& result) {
  SummaryRow row;
  row.strategy = strategy.strategy;
  row.same = strategy.same;
  row.messages = strategy.group_ends.size();
  row.failure = strategy.failure;
  if (!row.failure.empty()) return row;
  row.rejected = strategy.rejected();
  row.samples = strategy.samples.size() - row.rejected;
  row.iteration = strategy.iteration();
  if (row.samples == 0) {
    row.failure = strategy.samples.empty() ? "no iteration was timed" : "every sample was rejected";
    return row;
  }
  row.forward = median_of(strategy.samples, &Sample::forward);
  row.backward = median_of(strategy.samples, &Sample::backward);
  // The profile is from the same rounds, for results that were saved without their samples.
  row.overlap_cost =
      row.backward - median_of(result.without_communication, &Sample::backward, result.profile.backward());
  row.exposed = median_of(strategy.samples, &Sample::exposed);
  row.throughput = static_cast<double>(result.batch) * result.ranks / row.iteration.median;
  row.predicted = strategy.predicted.iteration;
  row.predicted_no_overlap = strategy.predicted_no_overlap.iteration;
  row.prediction_error = row.predicted / row.iteration.median - 1;
  row.prediction_parts = prediction_error(strategy);
  if (result.alone) row.efficiency = result.alone->median / row.iteration.median;
  return row;
}

}  // namespace

std::optional<MedianEstimate> paired_ratio(const StrategyResult& other, const StrategyResult& own) {
  return ratio_by_rounds(round_times(other.samples), round_times(own.samples));
}

std::vector<SummaryRow> summarize(const RunResult& result) {
  std::vector<const StrategyResult*> ordered;
  for (const StrategyResult& strategy : result.strategies) ordered.push_back(&strategy);
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const auto* left, const auto* right) { return place(*left) < place(*right); });
  const auto mg_wfbp = std::find_if(ordered.begin(), ordered.end(), [](const StrategyResult* strategy) {
    const auto& same = strategy->same;
    const bool is_it = strategy->strategy == kMgWfbp || std::find(same.begin(), same.end(), kMgWfbp) != same.end();
    return is_it && strategy->failure.empty();
  });

  std::vector<SummaryRow> rows;
  for (const StrategyResult* strategy : ordered) {
    rows.push_back(summarize(*strategy, result));
    if (mg_wfbp != ordered.end() && strategy != *mg_wfbp && rows.back().failure.empty())
      rows.back().mg_wfbp_speedup = paired_ratio(*strategy, **mg_wfbp);
  }
  return rows;
}

}  // namespace mgbench

#include "report/run_result.h"

#include <algorithm>

#include "report/round_times.h"

namespace mgbench {

MedianEstimate StrategyResult::iteration() const {
  return median_of_rounds(round_times(samples));
}

std::size_t StrategyResult::rejected() const {
  return static_cast<std::size_t>(
      std::count_if(samples.begin(), samples.end(), [](const Sample& sample) { return sample.rejected; }));
}

bool RunResult::correct() const {
  return std::all_of(strategies.begin(), strategies.end(),
                     [](const StrategyResult& strategy) { return strategy.failure.empty(); });
}

bool RunResult::finished() const {
  return !ended.starts_with(kNotEnded) && !ended.starts_with(kBrokenOff);
}

}  // namespace mgbench

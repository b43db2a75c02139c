#include "report/run_result.h"

#include <algorithm>

namespace mgbench {

MedianEstimate StrategyResult::iteration() const {
  std::vector<double> seconds;
  for (const Sample& sample : samples)
    if (!sample.rejected) seconds.push_back(sample.iteration);
  return seconds.empty() ? MedianEstimate{} : estimate_median(seconds);
}

std::size_t StrategyResult::rejected() const {
  return static_cast<std::size_t>(
      std::count_if(samples.begin(), samples.end(), [](const Sample& sample) { return sample.rejected; }));
}

bool RunResult::correct() const {
  return std::all_of(strategies.begin(), strategies.end(),
                     [](const StrategyResult& strategy) { return strategy.failure.empty(); });
}

}  // namespace mgbench

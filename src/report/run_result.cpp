#include "report/run_result.h"

namespace mgbench {

MedianEstimate StrategyResult::iteration() const {
  std::vector<double> seconds;
  for (const Sample& sample : samples)
    if (!sample.rejected) seconds.push_back(sample.iteration);
  return seconds.empty() ? MedianEstimate{} : estimate_median(seconds);
}

}  // namespace mgbench

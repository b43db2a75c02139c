#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "bench/calibration/timed_allreduce.h"
#include "bench/terminal/progress.h"
#include "report/algorithm_comparison.h"

namespace mgbench {

/// One of the library's algorithms.
struct Algorithm {
  std::string name;
  int value = 0;  ///< the library's number of it
  std::unique_ptr<TimedAllreduce> allreduce;
  // Sizes at which it is known to do what the own choice does, or one of those before it: there it is not timed.
  std::set<Bytes> same_as_own_choice = {};
  std::set<Bytes> same_as_another = {};
};

/// The powers of four from 4 B.
std::vector<Bytes> compared_sizes(Bytes largest);

struct ComparisonRequest {
  GradientArena largest;  ///< compared_sizes() of it
  Seconds budget = 0;
  std::uint64_t seed = 1;
};

/// The own choice against the fastest of the others, size by size. A first half of the budget finds at each size which
/// of the others is the fastest; only times of the second half, of fresh rounds with that one alone, are reported: the
/// winner of a race looks better in it than it is. An algorithm whose call fails or whose sum is wrong is left out, and
/// a size at which nothing else than the own choice is left.
/// Throws Error(not_measured) when the own choice's is. Collective.
AlgorithmComparison compare_algorithms(ProcessGroup& group, TimedAllreduce& own_choice,
                                       const std::vector<Algorithm>& others, const ComparisonRequest& request,
                                       Progress& progress);

}  // namespace mgbench

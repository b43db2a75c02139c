#include "planner/tool_rules.h"

#include <algorithm>
#include <cmath>

namespace mgbench {
namespace {

/// Bytes between two boundaries.
Bytes size_of(const MergeProblem& problem, std::size_t begin, std::size_t end) {
  return problem.offset(end) - problem.offset(begin);
}

}  // namespace

LimitedPlan close_when_reached(const MergeProblem& problem, Bytes cap, std::optional<Bytes> first_cap) {
  LimitedPlan result{.ends = {}, .least = 1};
  std::size_t begin = 0;
  for (std::size_t end = 1; end <= problem.tensors(); ++end) {
    const bool own_cap = begin == 0 && first_cap.has_value();
    const Bytes size = size_of(problem, begin, end);
    const bool last = end == problem.tensors();
    if (size < (own_cap ? *first_cap : cap) && !last) continue;
    if (!own_cap) {
      result.least = std::max(result.least, size_of(problem, begin, end - 1) + 1);
      if (!last) result.most = std::min(result.most, size);
    }
    result.ends.push_back(end);
    begin = end;
  }
  return result;
}

LimitedPlan close_before_exceeding(const MergeProblem& problem, Bytes limit) {
  LimitedPlan result;
  std::size_t begin = 0;
  for (std::size_t end = 1; end <= problem.tensors(); ++end) {
    if (end < problem.tensors()) {
      const Bytes with_next = size_of(problem, begin, end + 1);
      if (with_next <= limit) {
        result.least = std::max(result.least, with_next);
        continue;
      }
      result.most = std::min(result.most, with_next - 1);
    }
    result.ends.push_back(end);
    begin = end;
  }
  return result;
}

LimitedPlan fuse_in_cycles(const MergeProblem& problem, Bytes threshold, Seconds cycle) {
  LimitedPlan result;
  Progress progress;
  Seconds tick = 0;
  for (std::size_t begin = 0; begin < problem.tensors();) {
    // Cycles that find nothing ready pass.
    const Seconds wait = problem.ready(begin + 1) + progress.delay - tick;
    if (wait > 0) tick += cycle * std::ceil(wait / cycle);
    progress.free = std::max(progress.free, tick);

    std::size_t ready = begin + 1;  // rounding must not leave out the tensor that was waited for
    while (ready < problem.tensors() && problem.ready(ready + 1) + progress.delay <= tick) ++ready;
    while (begin < ready) {
      std::size_t end = begin + 1;
      for (; end < ready; ++end) {
        const Bytes with_next = size_of(problem, begin, end + 1);
        if (with_next > threshold) {
          result.most = std::min(result.most, with_next - 1);
          break;
        }
        result.least = std::max(result.least, with_next);
      }
      progress = problem.after(progress, begin, end);
      result.ends.push_back(end);
      begin = end;
    }
    tick = std::max(tick + cycle, progress.free);
  }
  return result;
}

}  // namespace mgbench

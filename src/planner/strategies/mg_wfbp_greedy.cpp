#include <algorithm>
#include <vector>

#include "planner/strategy.h"

namespace mgbench::strategies_entries {
namespace {

/// Shi, Chu, Li, "MG-WFBP" (INFOCOM 2019), algorithm 1: in ready order, tensor k is merged into k + 1 when k
/// + 1 is ready before k's message would have ended, and either before that message could start or less than
/// one start-up time `a` after. Start times are those after all merges so far: a merged tensor takes no time
/// of its own, so that the open message's is the only one to keep.
MergePlan greedy(const Profile& profile, const CostModel& cost, const StrategyOptions&) {
  const std::vector<ReadyTensor> tensors = ready_tensors(profile);
  std::vector<std::size_t> ends;
  Seconds free = 0;  // end of the last closed message
  Bytes open = tensors.front().bytes;
  for (std::size_t next = 1; next < tensors.size(); ++next) {
    const Seconds start = std::max(free, tensors[next - 1].ready);
    const Seconds end = start + cost.time(Collective::allreduce, open);
    const Seconds ready = tensors[next].ready;
    const bool merge = ready < end && ready - start < cost.line().a;  // a > 0 takes in those ready before the start
    if (!merge) {
      ends.push_back(next);
      free = end;
      open = 0;
    }
    open += tensors[next].bytes;
  }
  ends.push_back(tensors.size());
  return MergePlan(std::move(ends));
}

}  // namespace

StrategyEntry mg_wfbp_greedy() {
  return {"mg-wfbp-greedy",
          "MG-WFBP by the rule that was published, which is not always the optimum",
          {.does = "tensor k merged into k + 1 where waiting seems to save a start-up",
           .formula = "if r_{k+1} < f_k and r_{k+1} - max(f_{k-1}, r_k) < a",
           .best = "to reproduce published figures; may merge far too much (method.md)",
           .source = "Shi, Chu, Li, INFOCOM 2019, algorithm 1, as published"},
          greedy};
}

}  // namespace mgbench::strategies_entries

#include <cmath>

#include "base/error.h"
#include "planner/strategy.h"
#include "planner/tool_rules.h"

namespace mgbench::strategies_entries {
namespace {

MergePlan cycles(const Profile& profile, const CostModel& cost, const StrategyOptions& options) {
  const Seconds cycle = options.horovod_cycle;
  require(std::isfinite(cycle) && cycle > 0, "horovod: a cycle of {} s; expected a finite time > 0", cycle);
  require(options.horovod_threshold >= 0, "horovod: a threshold of {} bytes; expected at least zero",
          options.horovod_threshold);
  return MergePlan(fuse_in_cycles(MergeProblem(profile, cost), options.horovod_threshold, cycle).ends);
}

}  // namespace

StrategyEntry horovod() {
  return {
      "horovod",
      "Horovod's fusion: each cycle of 1 ms sends what is ready, up to 128 MiB a message (the groups alone, without "
      "ticks and negotiation)",
      {.does = "every cycle sends what has become ready since, up to a threshold",
       .formula = "closes with a cycle (--horovod-cycle), or before S_g > threshold",
       .best = "to see what a Horovod job does now; plan --export horovod helps",
       .source = "Horovod's tensor fusion: 1 ms, 128 MiB; without its negotiation"},
      cycles};
}

}  // namespace mgbench::strategies_entries

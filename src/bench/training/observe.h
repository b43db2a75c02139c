#pragma once

#include <vector>

#include "bench/mpi/process_group.h"
#include "bench/training/trainer.h"
#include "planner/cost_model.h"
#include "planner/overlap_fit.h"
#include "planner/profile.h"

namespace mgbench {

/// Medians over iterations, then over ranks the slowest: its ready times count, because a message waits for
/// all. Collective. `outline` gives names and tensors; records are of a schedule without communication.
Profile observe_profile(ProcessGroup& group, const Profile& outline, const std::vector<IterationRecord>& records);

/// Medians over iterations of every point in time; this rank's.
Timeline observe_timeline(const std::vector<IterationRecord>& records);

/// Of each message the time from the last rank's start on: the shortest time over the ranks, whose clocks need not
/// agree; medians over iterations. Collective.
std::vector<Seconds> observe_transfers(ProcessGroup& group, const std::vector<IterationRecord>& records);

/// Iterations under `schedule` beside iterations without communication: means over ranks of medians over iterations.
/// Collective.
ObservedSchedule observe_schedule(ProcessGroup& group, const std::vector<IterationRecord>& without_communication,
                                  const std::vector<IterationRecord>& records, const Schedule& schedule,
                                  const CostModel& cost);

/// A schedule from which fit_overlap() can tell time in flight from cost per message: small messages and
/// large ones in turn.
MergePlan probe_plan(std::size_t tensors);

}  // namespace mgbench

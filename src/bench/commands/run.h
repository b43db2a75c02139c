#pragma once

#include "bench/command.h"
#include "bench/training_run.h"

namespace mgbench {

/// The main job, stage by stage. Complete on rank 0. Collective.
RunResult train(const RunConfig& config, TimeLimits limits, Session& session);

}  // namespace mgbench

#pragma once

#include <functional>

#include "bench/command.h"
#include "bench/files/journal.h"
#include "bench/training/training_run.h"

namespace mgbench {

/// The main job, stage by stage. Complete on rank 0. Collective.
RunResult train(const RunConfig& config, TimeLimits limits, Session& session, Journal& journal);

/// After its last stage: `conclude` shows and saves the result on rank 0. What the process ends with.
ExitCode finish_run(TrainingRun& run, const Session& session, Journal& journal,
                    const std::function<ExitCode(const RunResult&)>& conclude);

}  // namespace mgbench

#pragma once

#include <functional>
#include <optional>
#include <string>

#include "bench/command.h"
#include "bench/files/journal.h"
#include "bench/training/training_run.h"

namespace mgbench {

/// What came of training within a budget: complete on rank 0.
struct Trained {
  std::optional<RunResult> result;
  std::string lack;  ///< why there is none: the budget is too short for one round
};

/// The main job, stage by stage, unless not one round of it fits `config.budget`. Collective.
Trained train_within_budget(const RunConfig& config, Session& session, Journal& journal);

/// After its last stage: `conclude` shows and saves the result on rank 0. What the process ends with.
ExitCode finish_run(TrainingRun& run, const Session& session, Journal& journal,
                    const std::function<ExitCode(const RunResult&)>& conclude);

}  // namespace mgbench

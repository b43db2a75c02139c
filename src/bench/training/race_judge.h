#pragma once

#include <cstddef>

#include "bench/training/rounds.h"

namespace mgbench {

/// Drops losers (report/race.h) among all contestants but the first `helpers`, and ends the rounds when one is left
/// that is certain. Ranks decide alike, for they hold equal samples.
RoundsJudge race_judge(std::size_t helpers);

}  // namespace mgbench

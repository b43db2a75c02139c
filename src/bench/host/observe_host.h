#pragma once

#include "report/rank_facts.h"

namespace mgbench {

/// Of this rank, now.
RankFacts observe_host();

}  // namespace mgbench

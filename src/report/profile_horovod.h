#pragma once

#include "report/profile_reader.h"

namespace mgbench {

/// Whether this is a timeline of Horovod (HOROVOD_TIMELINE) with allreduces.
bool is_horovod_timeline(const std::string& text);

/// The order and the times in which NEGOTIATE_ALLREDUCE begins, medians over the iterations of the timeline; sizes from
/// the types and shapes with which operations end. A timeline that a killed job left unfinished is read up to its last
/// whole event. Throws Error for tensors without a size and for iterations that overlap.
ReadProfile profile_from_horovod_timeline(const std::string& text, const std::string& file);

}  // namespace mgbench

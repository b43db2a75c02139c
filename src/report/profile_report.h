#pragma once

#include <string>

#include "planner/profile.h"
#include "report/table.h"

namespace mgbench {

/// What `mgbench profile` says: the sums, how early gradients are ready, and the steps in forward order; of
/// more than `most_steps` only the longest, and one row for the others.
std::string format_profile(const Profile& profile, std::size_t width = kDefaultWidth, std::size_t most_steps = 24);

/// ", 32 images a rank"; empty for a profile that does not tell.
std::string batch_phrase(const Profile& profile);

std::string profile_to_json(const Profile& profile);

}  // namespace mgbench

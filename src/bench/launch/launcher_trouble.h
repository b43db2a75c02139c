#pragma once

#include <string>
#include <vector>

#include "base/units.h"

namespace mgbench {

/// The launcher's line again, for a program that only prints its version, and without what keeps the launcher quiet.
std::vector<std::string> trial_of(std::vector<std::string> launcher, const std::string& program);

/// Runs a trial: why no rank was started, in the launcher's own words. Empty where ranks start, or where the launcher
/// has not ended after `patience`.
std::string why_no_ranks(const std::vector<std::string>& trial, Seconds patience = 20);

/// What a launcher says first, on one line: up to an empty line or a rule of dashes.
std::string first_words(const std::string& output);

}  // namespace mgbench

#pragma once

#include <string>

#include "report/algorithm_comparison.h"

namespace mgbench {

/// What to set so that NCCL sums as was measured to be certainly faster: its variables, which hold for messages of all
/// sizes, where one choice is faster at some and slower at none; else what they would be at which sizes. Empty where
/// there is nothing to change.
std::string nccl_advice(const AlgorithmComparison& comparison, std::size_t width = kDefaultWidth);

}  // namespace mgbench

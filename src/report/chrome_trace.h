#pragma once

#include <string>
#include <vector>

#include "report/named_result.h"

namespace mgbench {

/// Timelines in the Trace Event Format, which Perfetto and chrome://tracing open: a process for each strategy, with
/// tracks for computation and messages, predicted and measured on rank 0. Times in microseconds, whole nanoseconds.
/// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
std::string chrome_trace(const std::vector<NamedResult>& results);

}  // namespace mgbench

#pragma once

#include <string>
#include <string_view>

#include "base/units.h"
#include "report/import/log_format.h"

namespace mgbench {

/// What both forms of nccl-tests' output hold for one size and one of its two groups of columns.
struct NcclTimes {
  double microseconds = 0;
  double algorithm_bandwidth = 0;  ///< GB/s, as printed
  double bus_bandwidth = 0;        ///< GB/s, as printed
  double wrong = 0;                ///< elements; 0 where it was not checked
};

/// Another program of nccl-tests named in the text ("all_gather_perf"); empty: none. What it measured must not pass for
/// allreduce, and both print the same table.
std::string other_nccl_program(std::string_view text);

/// "in-place time(us)" or "out-of-place time(us)".
std::string nccl_column(const LogOptions& options);

/// Whether a row's bandwidths, two decimals each, tell an allreduce over `ranks` (0: not known) from other collectives.
bool tells_collective(Bytes bytes, Seconds seconds, int ranks);

/// Throws Error with `file`:line for wrong sums, for a time that does not agree with the bandwidth beside it (columns
/// displaced, or cut off), and for a bus bandwidth that is not the one of an allreduce over `ranks` (0: not known).
Seconds checked_nccl_time(const NcclTimes& times, Bytes bytes, int ranks, const std::string& file, std::size_t line);

}  // namespace mgbench

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/registry.h"
#include "base/units.h"

namespace mgbench {

/// One time of an allreduce that a log tells.
struct LogRow {
  int ranks = 0;  ///< 0: the log does not tell
  Bytes bytes = 0;
  Seconds seconds = 0;
  std::size_t line = 0;  ///< of the log; 0 where the parser does not tell (JSON)
};

/// What a log of another benchmark says about allreduce.
struct LogSeries {
  std::string kind;     ///< the benchmark, "osu_allreduce"
  std::string library;  ///< whose allreduce it is: "MPI", "NCCL", ...
  std::string column;   ///< which of its times were taken, "Avg Latency(us)"
  std::vector<LogRow> rows;
  std::size_t skipped_lines = 0;     ///< noise, and other benchmarks' lines
  std::size_t empty_messages = 0;    ///< rows of 0 bytes, left out
  std::vector<std::string> remarks;  ///< what the log does not say and was taken so
};

struct LogOptions {
  bool out_of_place = false;  ///< take the times of the out-of-place allreduce where a log has both
};

/// One kind of log. Recognized by content, so that nobody has to say what a file is.
struct LogFormatEntry {
  std::string name;
  std::string summary;  ///< how the kind is recognized, for the message that a file is none of them
  std::function<bool(const std::string& text)> recognizes;
  /// Throws Error with `file`:line for whatever looks like a measurement and cannot be read.
  std::function<LogSeries(const std::string& text, const std::string& file, const LogOptions& options)> read;
};

Registry<LogFormatEntry>& log_formats();

}  // namespace mgbench

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/calibration.h"
#include "report/import/log_format.h"

namespace mgbench {

/// A log as it was read from the disk.
struct LogFile {
  std::string name;
  std::string text;
};

struct ImportOptions {
  std::optional<int> ranks;  ///< of logs that do not tell
  LogOptions log;
};

struct ImportedLogs {
  std::vector<Calibration> calibrations;  ///< one for each number of ranks, in increasing order
  std::vector<std::string> remarks;       ///< what was taken, skipped and assumed
};

/// Reads one log, whatever its kind. Throws Error naming the kinds for a text that is none of them, or several.
LogSeries read_log(const LogFile& file, const LogOptions& options);

/// Calibrations with one curve, `library`: the medians over all rows of one number of ranks and one size. Throws
/// Error with file:line for whatever cannot be read, contradicts, or cannot be a time of an allreduce.
ImportedLogs import_logs(const std::vector<LogFile>& files, const ImportOptions& options);

}  // namespace mgbench

#pragma once

#include "base/error.h"
#include "bench/run_config.h"
#include "report/import/import_logs.h"

namespace mgbench {

/// The logs that --import names, as calibrations. Throws Error for everything that is wrong with them.
ImportedLogs import_named_logs(const RunConfig& config);

/// Shows and saves them: all, or none.
ExitCode import_calibrations(const RunConfig& config);

}  // namespace mgbench

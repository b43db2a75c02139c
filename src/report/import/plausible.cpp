#include "report/import/plausible.h"

#include "report/document.h"

namespace mgbench {

void require_plausible(const LogRow& row, const std::string& file) {
  constexpr Seconds kShortest = 20e-9;  // two caches of one chip
  constexpr Seconds kLatency = 0.5;     // between continents
  constexpr double kFastest = 10e12;    // bytes a second
  constexpr double kSlowest = 1e5;
  const auto bytes = static_cast<double>(row.bytes);
  if (row.seconds < kShortest || row.seconds < bytes / kFastest)
    fail_at(file, row.line,
            fmt::format("{} for {} is faster than any interconnect: is this another unit?", format_seconds(row.seconds),
                        format_bytes(row.bytes)));
  if (row.seconds > kLatency + bytes / kSlowest)
    fail_at(file, row.line,
            fmt::format("{} for {} is slower than any interconnect: is this another unit?", format_seconds(row.seconds),
                        format_bytes(row.bytes)));
}

}  // namespace mgbench

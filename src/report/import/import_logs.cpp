#include "report/import/import_logs.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "report/document.h"
#include "report/import/plausible.h"
#include "report/statistics.h"

namespace mgbench {
namespace {

constexpr std::size_t kFewestSizes = 3;  // what a line with intervals takes

using TimesBySize = std::map<Bytes, std::vector<double>>;

std::string plural(std::size_t count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

void require_same_kind(const LogSeries& first, const LogSeries& other, const std::string& file) {
  require(first.kind == other.kind && first.library == other.library && first.column == other.column,
          "{}: {} of {} ({}), after {} of {} ({}); import them apart", file, other.kind, other.library, other.column,
          first.kind, first.library, first.column);
}

/// The number of ranks of one row: what the log says, else what the user says, never both in contradiction.
int ranks_of(const LogRow& row, const std::string& file, const std::optional<int>& told) {
  if (row.ranks == 0 && !told) fail_at(file, row.line, "the log does not say how many ranks it is of: add --ranks P");
  if (row.ranks != 0 && told && *told != row.ranks)
    fail_at(file, row.line, fmt::format("times of {} ranks, and --ranks {} says otherwise", row.ranks, *told));
  const int ranks = row.ranks != 0 ? row.ranks : *told;
  if (ranks < 2) fail_at(file, row.line, "times of one process, which exchanges nothing; expected at least 2 ranks");
  return ranks;
}

CalibrationCurve curve_of(const TimesBySize& times, const LogSeries& series) {
  CalibrationCurve curve{.name = "library", .communicator = series.kind, .points = {}, .fit = {}};
  for (const auto& [bytes, seconds] : times) {
    const MedianEstimate estimate = estimate_median(seconds);
    curve.points.push_back(
        {.bytes = bytes, .seconds = estimate.median, .interval = estimate.interval, .samples = estimate.samples});
  }
  curve.fit_points();
  return curve;
}

std::string description(const LogSeries& series, const std::string& file) {
  std::string text = fmt::format("{}: {} of {}, {} taken from column '{}'", file, series.kind, series.library,
                                 plural(series.rows.size(), "time"), series.column);
  if (series.empty_messages > 0) text += fmt::format("; {} of 0 B left out", plural(series.empty_messages, "row"));
  if (series.skipped_lines > 0) text += fmt::format("; {} skipped", plural(series.skipped_lines, "other line"));
  return text;
}

}  // namespace

LogSeries read_log(const LogFile& file, const LogOptions& options) {
  require_reasonable_size(file.name, file.text);
  std::vector<const LogFormatEntry*> found;
  std::vector<std::string> names, summaries;
  for (const LogFormatEntry& entry : log_formats()) {
    summaries.push_back(entry.summary);
    if (!entry.recognizes(file.text)) continue;
    found.push_back(&entry);
    names.push_back(entry.name);
  }
  require(!found.empty(), "{}: no log of a kind that is read here, expected {}", file.name,
          fmt::join(summaries, "; or "));
  require(found.size() == 1, "{}: looks like several kinds of logs at once ({}); import them apart", file.name,
          fmt::join(names, ", "));
  LogSeries series = found[0]->read(file.text, file.name, options);
  require(!series.rows.empty(), "{}: {} without a row of measurements", file.name, series.kind);
  return series;
}

ImportedLogs import_logs(const std::vector<LogFile>& files, const ImportOptions& options) {
  ImportedLogs result;
  std::optional<LogSeries> first;
  std::map<int, TimesBySize> by_ranks;
  std::vector<std::string> names;
  std::size_t skipped = 0;
  for (const LogFile& file : files) {
    require(std::find(names.begin(), names.end(), file.name) == names.end(), "{}: named twice, expected once",
            file.name);
    LogSeries series = read_log(file, options.log);
    require(!options.log.out_of_place || series.column.starts_with("out-of-place"),
            "{}: --out-of-place, but {} has no such times beside others", file.name, series.kind);
    require_same_kind(first ? *first : series, series, file.name);
    for (const LogRow& row : series.rows) {
      const int ranks = ranks_of(row, file.name, options.ranks);
      require_plausible(row, file.name);
      by_ranks[ranks][row.bytes].push_back(row.seconds);
    }
    result.remarks.push_back(description(series, file.name));
    result.remarks.insert(result.remarks.end(), series.remarks.begin(), series.remarks.end());
    names.push_back(file.name);
    skipped += series.skipped_lines;
    if (!first) first = std::move(series);
  }
  require(by_ranks.size() <= kMostCurves, "{}: {} numbers of ranks, expected at most {}", fmt::join(names, ", "),
          by_ranks.size(), kMostCurves);
  for (const auto& [ranks, times] : by_ranks) {
    require(times.size() <= kMostSizes, "{}: {} over {} ranks, expected at most {}", fmt::join(names, ", "),
            plural(times.size(), "size"), ranks, kMostSizes);
    require(times.size() >= kFewestSizes, "{}: {} over {} ranks, expected at least {}", fmt::join(names, ", "),
            plural(times.size(), "size"), ranks, kFewestSizes);
    Calibration calibration{.ranks = ranks, .library = first->library};
    calibration.curves.push_back(curve_of(times, *first));
    calibration.provenance = {{"imported.column", first->column},
                              {"imported.file", fmt::format("{}", fmt::join(names, ", "))},
                              {"imported.kind", first->kind},
                              {"imported.skipped_lines", std::to_string(skipped)}};
    result.calibrations.push_back(std::move(calibration));
  }
  return result;
}

}  // namespace mgbench

#include <algorithm>
#include <optional>

#include "base/names.h"
#include "report/document.h"
#include "report/import/comment_setting.h"
#include "report/import/log_format.h"
#include "report/import/log_text.h"

namespace mgbench::log_formats_entries {
namespace {

const std::vector<std::string> kColumns{"bytes", "seconds"};
const std::vector<std::string> kSettings{"ranks", "library"};

class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  void read(const LogLine& line) {
    if (line.text.starts_with('#'))
      comment(line);
    else if (!headed_)
      heading(line);
    else
      row(line);
  }

  LogSeries finish() && {
    if (!headed_) fail_at(file_, 0, "no heading 'bytes,seconds'");
    return std::move(series_);
  }

 private:
  void comment(const LogLine& line) {
    const auto setting = comment_setting(line, file_, kSettings);
    if (!setting) return;
    if (setting->name == "ranks") {
      ranks_ = read_ranks(setting->value, file_, line.number);
    } else {
      if (setting->value.empty() || !is_printable(setting->value))
        fail_at(file_, line.number, "library: no value, expected a name (MPI, NCCL, gloo)");
      if (!series_.rows.empty() && series_.library != setting->value)
        fail_at(file_, line.number,
                fmt::format("times of {} after those of {}; import them apart", setting->value, series_.library));
      series_.library = setting->value;
    }
  }

  void heading(const LogLine& line) {
    const std::vector<std::string_view> cells = cells_of(line.text);
    for (const std::string_view cell : cells)
      if (std::find(kColumns.begin(), kColumns.end(), cell) == kColumns.end())
        fail_at(file_, line.number, fmt::format("unknown column '{}'{}", cell, suggestion(cell, kColumns)));
    if (cells.size() != 2 || cells[0] != kColumns[0] || cells[1] != kColumns[1])
      fail_at(file_, line.number, "expected the heading 'bytes,seconds'");
    headed_ = true;
  }

  void row(const LogLine& line) {
    const std::vector<std::string_view> cells = cells_of(line.text);
    if (line.text == "bytes,seconds") return;  // files put together keep their headings
    if (cells.size() != kColumns.size())
      fail_at(file_, line.number, fmt::format("{} columns, expected {}: bytes,seconds", cells.size(), kColumns.size()));
    const Bytes bytes = read_size(cells[0], file_, line.number);
    const Seconds seconds = read_time(cells[1], 1, file_, line.number);
    if (bytes == 0)
      ++series_.empty_messages;
    else
      series_.rows.push_back({.ranks = ranks_, .bytes = bytes, .seconds = seconds, .line = line.number});
  }

  const std::string& file_;
  LogSeries series_{.kind = "CSV", .library = "MPI", .column = "seconds"};
  int ranks_ = 0;
  bool headed_ = false;
};

bool recognizes(const std::string& text) {
  for (const LogLine& line : log_lines(text))
    if (!line.text.starts_with('#')) return line.text.starts_with("bytes") && !contains(lowered(line.text), "lat");
  return false;
}

LogSeries read(const std::string& text, const std::string& file, const LogOptions&) {
  Reader reader(file);
  for (const LogLine& line : log_lines(text)) reader.read(line);
  return std::move(reader).finish();
}

}  // namespace

LogFormatEntry csv() {
  return {.name = "csv", .summary = "CSV with the heading 'bytes,seconds'", .recognizes = recognizes, .read = read};
}

}  // namespace mgbench::log_formats_entries

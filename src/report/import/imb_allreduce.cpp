#include <algorithm>
#include <optional>

#include "base/names.h"
#include "report/document.h"
#include "report/import/log_format.h"
#include "report/import/log_text.h"

namespace mgbench::log_formats_entries {
namespace {

constexpr std::string_view kBenchmark = "Allreduce";
// Each rank times its calls, and t_max is the slowest rank's mean: what a calibration of mgbench holds, too.
constexpr std::string_view kTime = "t_max[usec]";

class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  void read(const LogLine& line) {
    const std::vector<std::string_view> words = words_of(line.text);
    if (line.text.starts_with("# Benchmarking")) {
      section_ = words.size() > 2 && words[2] == kBenchmark;
      found_ = found_ || section_;
      columns_.clear();
      ranks_ = 0;
    } else if (!section_) {
      if (!line.text.starts_with('#')) ++series_.skipped_lines;
    } else if (line.text.starts_with("# #processes")) {
      if (words.size() != 4 || words[2] != "=") fail_at(file_, line.number, "expected '# #processes = NUMBER'");
      ranks_ = read_ranks(words[3], file_, line.number);
    } else if (contains(line.text, "#bytes")) {
      heading(words, line);
    } else if (is_row(words)) {
      row(words, line);
    } else if (!line.text.starts_with('#')) {
      ++series_.skipped_lines;
    }
  }

  LogSeries finish() && {
    if (!found_) fail_at(file_, 0, "no section '# Benchmarking Allreduce', only other benchmarks");
    return std::move(series_);
  }

 private:
  void heading(const std::vector<std::string_view>& words, const LogLine& line) {
    static const std::vector<std::string> kKnown{"#Benchmarking", "#procs",      "#bytes",      "#repetitions",
                                                 "t_min[usec]",   "t_max[usec]", "t_avg[usec]", "defects"};
    columns_.assign(words.begin(), words.end());
    for (const std::string& column : columns_)
      if (std::find(kKnown.begin(), kKnown.end(), column) == kKnown.end())
        fail_at(file_, line.number, fmt::format("unknown column '{}'{}", column, suggestion(column, kKnown)));
    if (!column("#bytes") || !column(kTime))
      fail_at(file_, line.number, fmt::format("expected the columns #bytes and {}", kTime));
  }

  std::optional<std::size_t> column(std::string_view name) const {
    const auto found = std::find(columns_.begin(), columns_.end(), name);
    if (found == columns_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - columns_.begin());
  }

  /// Old versions begin each row with the benchmark's name and the number of processes.
  bool is_row(const std::vector<std::string_view>& words) const {
    return !columns_.empty() && (column("#Benchmarking") ? words[0] == kBenchmark : looks_like_row(words));
  }

  void row(const std::vector<std::string_view>& words, const LogLine& line) {
    if (contains(line.text, "out-of-mem") || contains(line.text, "time-out")) {  // a size that was not measured
      ++series_.skipped_lines;
      return;
    }
    if (words.size() != columns_.size())
      fail_at(file_, line.number,
              fmt::format("{} columns, expected {} as in the heading", words.size(), columns_.size()));
    const Bytes bytes = read_size(words[*column("#bytes")], file_, line.number);
    if (const auto defects = column("defects"); defects && number_in(words[*defects]) != 0.0)
      fail_at(file_, line.number, fmt::format("{} defects: this allreduce does not sum", words[*defects]));
    if (bytes == 0) {
      ++series_.empty_messages;
      return;
    }
    series_.rows.push_back({.ranks = ranks_of(words, line),
                            .bytes = bytes,
                            .seconds = read_time(words[*column(kTime)], 1e6, file_, line.number),
                            .line = line.number});
  }

  int ranks_of(const std::vector<std::string_view>& words, const LogLine& line) const {
    const auto procs = column("#procs");
    const int told = procs ? read_ranks(words[*procs], file_, line.number) : ranks_;
    if (ranks_ != 0 && told != ranks_)
      fail_at(file_, line.number, fmt::format("{} processes in a section of {}", told, ranks_));
    return told;
  }

  const std::string& file_;
  LogSeries series_{.kind = "IMB Allreduce", .library = "MPI", .column = std::string(kTime)};
  std::vector<std::string> columns_;
  bool found_ = false;
  bool section_ = false;  ///< of Allreduce
  int ranks_ = 0;
};

bool recognizes(const std::string& text) {
  return contains(text, "# Benchmarking ") || contains(text, "MPI Benchmarks 20") || contains(text, "t_avg[usec]");
}

LogSeries read(const std::string& text, const std::string& file, const LogOptions&) {
  Reader reader(file);
  for (const LogLine& line : log_lines(text)) reader.read(line);
  return std::move(reader).finish();
}

}  // namespace

LogFormatEntry imb_allreduce() {
  return {.name = "imb-allreduce",
          .summary = "Intel MPI Benchmarks (a section '# Benchmarking Allreduce')",
          .recognizes = recognizes,
          .read = read};
}

}  // namespace mgbench::log_formats_entries

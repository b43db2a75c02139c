#include <algorithm>
#include <deque>
#include <optional>

#include "report/document.h"
#include "report/import/log_format.h"
#include "report/import/log_text.h"
#include "report/import/nccl_checks.h"
#include "report/import/nccl_ranks.h"

namespace mgbench::log_formats_entries {
namespace {

using Words = std::vector<std::string_view>;

/// Where the columns stand; those of the heading "# size count type redop root time algbw busbw #wrong time ...".
struct Columns {
  std::size_t count = 0;
  std::size_t time = 0;  ///< of the group that is read; bandwidths and wrong elements follow it
  std::optional<std::size_t> type;
  std::optional<std::size_t> operation;  ///< older versions of nccl-tests have it not
  std::optional<std::size_t> root;       ///< nor this
  bool counts_wrong = false;             ///< older versions print the largest error
  bool timestamp = false;                ///< a date and a time of day, in two words
};

class Reader {
 public:
  Reader(const std::string& file, const LogOptions& options) : file_(file), options_(options) {
    series_ = {.kind = "nccl-tests all_reduce_perf", .library = "NCCL", .column = nccl_column(options)};
  }

  void read(const LogLine& line) {
    const Words words = words_of(line.text);
    if (const std::string other = other_nccl_program(line.text); !other.empty())
      fail_at(file_, line.number, fmt::format("output of {}, expected all_reduce_perf", other));
    if (contains(lowered(line.text), "rccl")) series_.library = "RCCL";  // its tests print the same table
    if (line.text.starts_with("# nThread")) {
      runs_.emplace_back();
      columns_.reset();
    } else if (words.size() > 3 && words[0] == "#" && words[1] == "Rank") {
      rank(words, line);
    } else if (words.size() > 2 && words[0] == "#" && (words[1] == "size" || words[1] == "bytes")) {
      heading(words, line);
    } else if (contains(line.text, "Out of bounds values") && contains(line.text, "FAILED")) {
      fail_at(file_, line.number, "values out of bounds: this allreduce does not sum");
    } else if (columns_ && looks_like_row(words)) {
      row(words, line);
    } else if (!line.text.starts_with('#')) {
      ++series_.skipped_lines;
    }
  }

  LogSeries finish() && {
    resolve_ranks();
    for (Row& row : rows_) {
      const int ranks = runs_[row.run].count(file_);
      series_.rows.push_back({.ranks = ranks,
                              .bytes = row.bytes,
                              .seconds = checked_nccl_time(row.times, row.bytes, ranks, file_, row.line),
                              .line = row.line});
      told_ = told_ || tells_collective(row.bytes, series_.rows.back().seconds, ranks);
    }
    if (!told_ && !rows_.empty())
      fail_at(file_, rows_[0].line,
              "neither a column redop nor sizes above 1 GB/s over known ranks tell that this is an allreduce");
    return std::move(series_);
  }

 private:
  struct Row {
    std::size_t run = 0;
    Bytes bytes = 0;
    NcclTimes times;
    std::size_t line = 0;
  };

  NcclRanks& run() {
    if (runs_.empty()) runs_.emplace_back();
    return runs_.back();
  }

  /// "#  Rank  0 Group  0 Pid   6899 on node01 device  0 [0000:04:00] NVIDIA H100"; older versions have no group.
  void rank(const Words& words, const LogLine& line) {
    const bool grouped = words.size() > 5 && words[3] == "Group";
    if (words[grouped ? 5 : 3] != "Pid") fail_at(file_, line.number, "expected '# Rank NUMBER [Group NUMBER] Pid ...'");
    const int group = grouped ? read_index(words[4], file_, line.number) : 0;
    run().add(group, read_index(words[2], file_, line.number), file_, line.number);
  }

  void heading(const Words& words, const LogLine& line) {
    const Words titles(words.begin() + 1, words.end());
    const auto at = [&](std::string_view title, std::size_t from) -> std::optional<std::size_t> {
      const auto begin = titles.begin() + static_cast<std::ptrdiff_t>(std::min(from, titles.size()));
      const auto found = std::find(begin, titles.end(), title);
      if (found == titles.end()) return std::nullopt;
      return static_cast<std::size_t>(found - titles.begin());
    };
    if (at("cputime", 0))
      fail_at(file_, line.number, "'cputime' is how long calls take to return, expected the column 'time'");
    const auto first = at("time", 0);
    const auto second = first ? at("time", *first + 1) : std::nullopt;
    if (!second) fail_at(file_, line.number, "expected two columns 'time': out-of-place and in-place");
    Columns columns{.count = titles.size(), .time = options_.out_of_place ? *first : *second, .type = at("type", 0)};
    columns.operation = at("redop", 0) ? at("redop", 0) : at("op", 0);
    columns.root = at("root", 0);
    told_ = told_ || columns.operation;
    columns.timestamp = titles.back() == "timestamp";
    if (columns.time + 3 >= titles.size() || titles[columns.time + 1] != "algbw" || titles[columns.time + 2] != "busbw")
      fail_at(file_, line.number, "expected the columns time, algbw, busbw and #wrong or error");
    columns.counts_wrong = titles[columns.time + 3] == "#wrong";
    columns_ = columns;
  }

  void row(const Words& words, const LogLine& line) {
    const std::size_t expected = columns_->count + (columns_->timestamp ? 1 : 0);
    if (words.size() != expected)
      fail_at(file_, line.number, fmt::format("{} columns, expected {} as in the heading", words.size(), expected));
    require_one_kind(words, line);
    const Bytes bytes = read_size(words[0], file_, line.number);
    if (bytes == 0) {
      ++series_.empty_messages;
      return;
    }
    const auto number = [&](std::size_t offset) {
      const std::string_view word = words[columns_->time + offset];
      const auto value = number_in(word);
      if (!value) fail_at(file_, line.number, fmt::format("'{}' is not a number", word));
      return *value;
    };
    const bool checked = columns_->counts_wrong && words[columns_->time + 3] != "N/A";
    static_cast<void>(run());
    rows_.push_back({.run = runs_.size() - 1,
                     .bytes = bytes,
                     .times = {.microseconds = 1e6 * read_time(words[columns_->time], 1e6, file_, line.number),
                               .algorithm_bandwidth = number(1),
                               .bus_bandwidth = number(2),
                               .wrong = checked ? number(3) : 0},
                     .line = line.number});
  }

  /// Other collectives print this table, too; and a median over types or operations would be of none of them.
  void require_one_kind(const Words& words, const LogLine& line) {
    const std::string operation(columns_->operation ? words[*columns_->operation] : "");
    if (operation == "none" || (columns_->root && words[*columns_->root] != "-1"))
      fail_at(file_, line.number, "no allreduce: that has an operation, and no root");
    const std::string kind = fmt::format("{} {}", columns_->type ? words[*columns_->type] : "", operation);
    if (kind_.empty()) kind_ = kind;
    if (kind != kind_) fail_at(file_, line.number, fmt::format("'{}' after '{}'; import them apart", kind, kind_));
  }

  void resolve_ranks() const {
    std::size_t alone = 0;
    for (const NcclRanks& run : runs_)
      if (run.count(file_) == 1) ++alone;
    if (alone > 1) fail_without_mpi(file_, runs_.back().empty() ? 0 : runs_.back().line());
  }

  const std::string& file_;
  const LogOptions& options_;
  LogSeries series_;
  std::optional<Columns> columns_;
  std::deque<NcclRanks> runs_;
  std::vector<Row> rows_;
  std::string kind_;
  bool told_ = false;  ///< that the collective is allreduce: others have no operation
};

bool recognizes(const std::string& text) {
  if (text.find_first_not_of(" \t\r\n") != std::string::npos && text[text.find_first_not_of(" \t\r\n")] == '{')
    return false;
  return contains(text, "# nThread") || contains(text, "nccl-tests version") || contains(text, "algbw");
}

LogSeries read(const std::string& text, const std::string& file, const LogOptions& options) {
  Reader reader(file, options);
  for (const LogLine& line : log_lines(text)) reader.read(line);
  return std::move(reader).finish();
}

}  // namespace

LogFormatEntry nccl_tests() {
  return {.name = "nccl-tests",
          .summary = "nccl-tests' all_reduce_perf (its table with algbw and busbw)",
          .recognizes = recognizes,
          .read = read};
}

}  // namespace mgbench::log_formats_entries

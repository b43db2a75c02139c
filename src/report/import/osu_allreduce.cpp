#include <algorithm>
#include <array>
#include <optional>

#include "base/names.h"
#include "report/document.h"
#include "report/import/log_format.h"
#include "report/import/log_text.h"

namespace mgbench::log_formats_entries {
namespace {

constexpr std::array<std::string_view, 10> kRankNames{"p",     "np",     "nproc",  "nprocs",    "procs",
                                                      "ranks", "nranks", "#procs", "processes", "#processes"};
constexpr std::array<std::string_view, 3> kSizeNames{"size", "size(b)", "bytes"};
constexpr std::array<std::string_view, 6> kTimeNames{"avglatency(us)", "latency(us)", "avglat(us)",
                                                     "avglatencyus",   "avg(us)",     "avgus"};
constexpr std::array<std::string_view, 3> kIndexNames{"", "index", "unnamed:0"};
constexpr std::array<std::string_view, 12> kOtherNames{
    "minlatency(us)", "maxlatency(us)", "iterations",   "p50taillat(us)", "p90taillat(us)", "p99taillat(us)",
    "minlat(us)",     "maxlat(us)",     "minlatencyus", "maxlatencyus",   "min(us)",        "max(us)"};

template <typename Names>
bool is_among(const std::string& name, const Names& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Where the columns of a table stand.
struct Columns {
  std::vector<std::string> titles;
  std::optional<std::size_t> ranks;
  std::size_t size = 0;
  std::size_t time = 0;
  bool commas = false;

  std::vector<std::string_view> fields(std::string_view line) const { return commas ? cells_of(line) : words_of(line); }
};

/// "# Size   Avg Latency(us)   P50 Tail Lat(us)" without commas: some titles are of several words.
std::vector<std::string> titles_between_blanks(std::string_view heading) {
  static constexpr std::array<std::string_view, 7> kFirstWords{"avg", "min", "max", "p50", "p90", "p99", "tail"};
  std::vector<std::string> titles;
  bool open = false;
  for (const std::string_view word : words_of(heading)) {
    if (open || (!titles.empty() && word.front() == '('))
      titles.back().append(" ").append(word);
    else
      titles.emplace_back(word);
    open = is_among(lowered(word), kFirstWords);
  }
  return titles;
}

/// "Avg Latency (us)" and "avg_latency(us)" are the same column.
std::string normalized(std::string_view title) {
  std::string name = lowered(title);
  std::erase_if(name, [](char letter) { return letter == ' ' || letter == '_'; });
  return name;
}

/// None for a line that is no heading of a table of latencies.
std::optional<Columns> heading(const LogLine& line, const std::string& file) {
  std::string_view text = line.text;
  if (text.starts_with('#') && !text.starts_with("#p")) text.remove_prefix(1);
  Columns columns;
  columns.commas = contains(text, ",");
  if (columns.commas)
    for (const std::string_view cell : cells_of(text)) columns.titles.emplace_back(cell);
  else
    columns.titles = titles_between_blanks(text);

  std::vector<std::string> names;
  for (const std::string& title : columns.titles) names.push_back(normalized(title));
  const auto count = [&](const auto& wanted) {
    return std::count_if(names.begin(), names.end(), [&](const std::string& name) { return is_among(name, wanted); });
  };
  const bool latency = std::any_of(names.begin(), names.end(), [](const std::string& name) {
    return contains(name, "lat") || name.starts_with("avg");
  });
  if (count(kSizeNames) == 0 || !latency) return std::nullopt;

  std::vector<std::string> known;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (is_among(names[i], kRankNames)) columns.ranks = i;
    if (is_among(names[i], kSizeNames)) columns.size = i;
    if (is_among(names[i], kTimeNames)) columns.time = i;
    const bool index = columns.commas && i == 0 && is_among(names[i], kIndexNames);
    if (!index && !is_among(names[i], kRankNames) && !is_among(names[i], kSizeNames) &&
        !is_among(names[i], kTimeNames) && !is_among(names[i], kOtherNames))
      fail_at(file, line.number,
              fmt::format("unknown column '{}'{}", columns.titles[i],
                          suggestion(columns.titles[i], {"P", "Size", "Avg Latency(us)", "Min Latency(us)",
                                                         "Max Latency(us)", "Iterations", "P50 Tail Lat(us)"})));
  }
  if (count(kSizeNames) != 1 || count(kTimeNames) != 1 || count(kRankNames) > 1)
    fail_at(file, line.number, "expected one column 'Size', one 'Avg Latency(us)' and at most one 'P'");
  return columns;
}

/// "# OSU MPI-CUDA Allreduce Latency Test v5.9".
bool is_title(std::string_view line) {
  return line.starts_with('#') && contains(line, " OSU ") && contains(line, " Test");
}

std::size_t decimals(std::string_view number) {
  const std::size_t point = number.find('.');
  return point == std::string_view::npos ? 0 : number.size() - point - 1;
}

class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  void read(const LogLine& line) {
    if (is_title(line.text)) {
      title(line);
    } else if (!allreduce_) {
      ++series_.skipped_lines;
    } else if (auto columns = heading(line, file_)) {
      columns_ = std::move(columns);
      series_.column = columns_->titles[columns_->time];
    } else if (!columns_ || line.text.starts_with('#') || !looks_like_row(columns_->fields(line.text))) {
      if (!contains(line.text, "Datatype:")) ++series_.skipped_lines;
    } else {
      row(line);
    }
  }

  LogSeries finish() && {
    if (others_ > 0 && !titled_) fail_at(file_, 0, "no section of osu_allreduce, only of other benchmarks");
    if (!titled_) series_.remarks.push_back(fmt::format("{} does not name the collective: taken as allreduce", file_));
    return std::move(series_);
  }

 private:
  void title(const LogLine& line) {
    allreduce_ = contains(lowered(line.text), " allreduce latency test") && !contains(line.text, "Non-blocking");
    columns_.reset();
    if (!allreduce_) {
      ++others_;
      ++series_.skipped_lines;
      return;
    }
    titled_ = true;
    const std::string library = contains(line.text, " OSU NCCL")   ? "NCCL"
                                : contains(line.text, " OSU RCCL") ? "RCCL"
                                                                   : "MPI";
    if (!series_.rows.empty() && series_.library != library)
      fail_at(file_, line.number,
              fmt::format("times of {} after those of {}; import them apart", library, series_.library));
    series_.library = library;
  }

  void row(const LogLine& line) {
    const std::vector<std::string_view> fields = columns_->fields(line.text);
    if (fields.size() != columns_->titles.size())
      fail_at(file_, line.number,
              fmt::format("{} columns, expected {} as in the heading", fields.size(), columns_->titles.size()));
    LogRow row{.ranks = columns_->ranks ? read_ranks(fields[*columns_->ranks], file_, line.number) : 0,
               .bytes = read_size(fields[columns_->size], file_, line.number),
               .seconds = read_time(fields[columns_->time], 1e6, file_, line.number),
               .line = line.number};
    if (!line.ended && decimals(fields.back()) < decimals_)
      fail_at(file_, line.number,
              fmt::format("the file ends within '{}': cut off, expected a whole row", fields.back()));
    decimals_ = decimals(fields.back());
    if (row.bytes == 0)
      ++series_.empty_messages;
    else
      series_.rows.push_back(row);
  }

  const std::string& file_;
  LogSeries series_{.kind = "osu_allreduce", .library = "MPI"};
  std::optional<Columns> columns_;
  std::size_t others_ = 0;  ///< titles of other benchmarks
  bool titled_ = false;
  bool allreduce_ = true;  ///< people cut titles off and keep the table
  std::size_t decimals_ = 0;
};

bool recognizes(const std::string& text) {
  const std::vector<LogLine> lines = log_lines(text);
  return std::any_of(lines.begin(), lines.end(), [](const LogLine& line) {
    if (is_title(line.text)) return true;
    const std::string name = normalized(line.text);
    static constexpr std::array<std::string_view, 5> kTimes{"latency(", "lat(", "latencyus", "avg(us)", "avgus"};
    return contains(name, "size") &&
           std::any_of(kTimes.begin(), kTimes.end(), [&](std::string_view time) { return contains(name, time); });
  });
}

LogSeries read(const std::string& text, const std::string& file, const LogOptions&) {
  Reader reader(file);
  for (const LogLine& line : log_lines(text)) reader.read(line);
  return std::move(reader).finish();
}

}  // namespace

LogFormatEntry osu_allreduce() {
  return {.name = "osu-allreduce",
          .summary = "OSU's osu_allreduce (a heading 'Size ... Avg Latency(us)')",
          .recognizes = recognizes,
          .read = read};
}

}  // namespace mgbench::log_formats_entries

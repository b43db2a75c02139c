#include "report/import/log_format.h"
#include "report/import/log_text.h"
#include "report/import/nccl_checks.h"
#include "report/import/nccl_ranks.h"
#include "report/json.h"

namespace mgbench::log_formats_entries {
namespace {

constexpr double kLargestBandwidth = 1e9;  // GB/s, printed

/// The program's own path stands first among its arguments.
void require_allreduce(const Value& root) {
  const auto arguments = root.find("args");
  if (!arguments) return;
  for (const Value& argument : arguments->items())
    if (const std::string other = other_nccl_program(argument.text()); !other.empty())
      argument.wrong("output of {}, expected all_reduce_perf", other);
}

/// A process with several devices lists the first of them alone.
int ranks_of(const Value& root, const std::string& file) {
  const auto config = root.find("config");
  const auto devices = config ? config->find("devices") : std::nullopt;
  if (!devices) return 0;
  int each = config->at("nthreads").integer<int>(1, 64) * config->at("ngpus").integer<int>(1, 64);
  const std::vector<Value> listed = devices->items();
  if (listed.size() > 1 && listed[1].at("rank").integer<int>(0, 1'000'000) == 1) each = 1;  // all are listed
  NcclRanks ranks;
  for (const Value& device : listed) {
    const int group = device.find("group") ? device.at("group").integer<int>(0, 1'000'000) : 0;
    const int first = device.at("rank").integer<int>(0, 1'000'000);
    for (int rank = first; rank < first + each; ++rank) ranks.add(group, rank, file, 0);
  }
  return ranks.count(file);
}

NcclTimes read_times(const Value& row, const LogOptions& options) {
  const Value times = row.at(options.out_of_place ? "out_of_place" : "in_place");
  if (times.find("cpu_time")) times.wrong("'cpu_time' is how long calls take to return, expected 'time'");
  const auto wrong = times.find("nwrong");
  return {.microseconds = times.at("time").positive(1e15),
          .algorithm_bandwidth = times.at("alg_bw").number(0, kLargestBandwidth),
          .bus_bandwidth = times.at("bus_bw").number(0, kLargestBandwidth),
          .wrong = wrong ? wrong->number(0, 1e18) : 0};
}

LogSeries read(const std::string& text, const std::string& file, const LogOptions& options) {
  const Document document = parse_json(text, file);
  const Value root = document.root();
  require_allreduce(root);
  const int ranks = ranks_of(root, file);
  LogSeries series{.kind = "nccl-tests all_reduce_perf", .library = "NCCL", .column = nccl_column(options)};
  std::string kind;
  for (const Value& row : root.at("results").items()) {
    const std::string operation = row.at("redop").text();
    const std::string row_kind = fmt::format("{} {}", row.at("type").text(), operation);
    if (operation == "none") row.wrong("no allreduce: that has an operation");
    if (kind.empty()) kind = row_kind;
    if (row_kind != kind) row.wrong("'{}' after '{}'; import them apart", row_kind, kind);
    const Bytes bytes = row.at("size").integer<Bytes>(0, Bytes{1} << 40);
    if (bytes == 0)
      ++series.empty_messages;
    else
      series.rows.push_back({.ranks = ranks,
                             .bytes = bytes,
                             .seconds = checked_nccl_time(read_times(row, options), bytes, ranks, file, 0),
                             .line = 0});
  }
  return series;
}

bool recognizes(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  return begin != std::string::npos && text[begin] == '{' && contains(text, "\"alg_bw\"");
}

}  // namespace

LogFormatEntry nccl_tests_json() {
  return {.name = "nccl-tests-json",
          .summary = "the JSON of nccl-tests' all_reduce_perf -J",
          .recognizes = recognizes,
          .read = read};
}

}  // namespace mgbench::log_formats_entries

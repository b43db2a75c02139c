#include "report/import/nccl_checks.h"

#include <array>
#include <cctype>
#include <cmath>

#include "report/document.h"

namespace mgbench {
namespace {

constexpr double kPrinted = 0.011;  // two decimals, and a bit
constexpr double kRounded = 0.06;   // long times have two digits: "1.2e+06"

bool agree(double expected, double printed) {
  return std::abs(expected - printed) <= kPrinted + kRounded * expected;
}

bool is_name_letter(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

}  // namespace

std::string other_nccl_program(std::string_view text) {
  static constexpr std::array<std::string_view, 10> kOthers{
      "all_gather_perf", "alltoall_perf", "alltoallv_perf", "broadcast_perf", "gather_perf",
      "hypercube_perf",  "reduce_perf",   "scatter_perf",   "sendrecv_perf",  "reduce_scatter_perf"};
  for (const std::string_view name : kOthers)
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1))
      if (at == 0 || !is_name_letter(text[at - 1])) return std::string(name);
  return "";
}

std::string nccl_column(const LogOptions& options) {
  return options.out_of_place ? "out-of-place time(us)" : "in-place time(us)";
}

bool tells_collective(Bytes bytes, Seconds seconds, int ranks) {
  constexpr double kTelling = 1e9;  // bytes a second
  return ranks > 1 && static_cast<double>(bytes) / seconds > kTelling;
}

Seconds checked_nccl_time(const NcclTimes& times, Bytes bytes, int ranks, const std::string& file, std::size_t line) {
  if (times.wrong != 0) fail_at(file, line, fmt::format("{} wrong elements: this allreduce does not sum", times.wrong));
  const double seconds = times.microseconds / 1e6;
  if (!(seconds > 0 && seconds <= 1e9))
    fail_at(file, line, fmt::format("'{}' is not a time, expected microseconds above 0", times.microseconds));
  const double bandwidth = 1e-9 * static_cast<double>(bytes) / seconds;
  if (!agree(bandwidth, times.algorithm_bandwidth))
    fail_at(file, line,
            fmt::format("{} B in {} us are {:.2f} GB/s and not {}: displaced columns, or another unit", bytes,
                        times.microseconds, bandwidth, times.algorithm_bandwidth));
  const double factor = 2.0 * (ranks - 1) / ranks;
  if (tells_collective(bytes, seconds, ranks) && !agree(factor * times.algorithm_bandwidth, times.bus_bandwidth))
    fail_at(file, line,
            fmt::format("a bus bandwidth of {} GB/s beside {} GB/s is not that of an allreduce over {} ranks, expected "
                        "{:.2f}: another collective, or another number of ranks",
                        times.bus_bandwidth, times.algorithm_bandwidth, ranks, factor * times.algorithm_bandwidth));
  return seconds;
}

}  // namespace mgbench

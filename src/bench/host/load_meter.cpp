#include "bench/host/load_meter.h"

#include <fmt/ranges.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <utility>
#include <vector>

namespace mgbench {
namespace {

Seconds own_processor_time() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::string text_of(const char* path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return std::move(text).str();
}

/// The number in `file` of each processor that has one.
std::vector<double> numbers(const std::set<int>& processors, const char* file) {
  std::vector<double> values;
  for (const int processor : processors)
    if (double value = 0; std::ifstream(fmt::format("/sys/devices/system/cpu/cpu{}/{}", processor, file)) >> value)
      values.push_back(value);
  return values;
}

double sum(const std::vector<double>& values) {
  double total = 0;
  for (const double value : values) total += value;
  return total;
}

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kFields = 8;

std::array<double, kFields> numbers_of(const HostLoad& load) {
  return {static_cast<double>(load.processors),
          load.seconds,
          load.others,
          load.steal,
          load.stalled.value_or(kUnknown),
          load.begin_hertz.value_or(kUnknown),
          load.end_hertz.value_or(kUnknown),
          load.throttled ? static_cast<double>(*load.throttled) : kUnknown};
}

HostLoad load_of(const double* values) {
  const auto known = [](double value) { return std::isnan(value) ? std::nullopt : std::optional(value); };
  HostLoad load{.host = "",
                .first_rank = 0,
                .processors = static_cast<int>(values[0]),
                .seconds = values[1],
                .others = values[2],
                .steal = values[3],
                .stalled = known(values[4]),
                .begin_hertz = known(values[5]),
                .end_hertz = known(values[6])};
  if (const auto throttled = known(values[7])) load.throttled = static_cast<std::size_t>(*throttled);
  return load;
}

}  // namespace

LoadMeter::LoadMeter(ProcessGroup& group, const Placement& placement)
    : group_(group), host_(placement.host), neighbours_(ranks_of_host(group)) {
  processors_ = processors_of(fmt::format("{}", fmt::join(neighbours_.gather(placement.binding), ",")));
  begin_ = read_host();
}

HostReading LoadMeter::read_host() {
  neighbours_.barrier();  // who waits spins: all together, lest that looks like others' work
  HostReading reading;
  reading.own = neighbours_.sum(own_processor_time());
  if (!neighbours_.is_root()) return reading;
  reading.processors = processor_times(text_of("/proc/stat"), processors_, static_cast<double>(sysconf(_SC_CLK_TCK)));
  reading.stalled = stalled_time(text_of("/proc/pressure/cpu"));
  if (const auto kilohertz = numbers(processors_, "cpufreq/scaling_cur_freq"); !kilohertz.empty())
    reading.clock_hertz = 1e3 * sum(kilohertz) / static_cast<double>(kilohertz.size());
  if (const auto times = numbers(processors_, "thermal_throttle/core_throttle_count"); !times.empty())
    reading.throttled = static_cast<std::size_t>(sum(times));
  return reading;
}

std::optional<MachineLoad> LoadMeter::read() {
  const HostReading end = read_host();
  std::optional<HostLoad> own;
  if (neighbours_.is_root()) own = load_between(begin_, end, static_cast<int>(processors_.size()));
  const std::vector<double> all = group_.gather(numbers_of(own.value_or(HostLoad{})));

  std::vector<HostLoad> loads;
  for (std::size_t rank = 0; rank * kFields < all.size(); ++rank) {
    const double* values = &all[rank * kFields];
    if (values[0] == 0) continue;
    loads.push_back(load_of(values));
    loads.back().first_rank = static_cast<int>(rank);
  }
  MachineLoad load = summarize_load(std::move(loads));
  std::vector<std::uint64_t> worst;
  for (const HostLoad& host : load.worst) worst.push_back(static_cast<std::uint64_t>(host.first_rank));
  const std::vector<std::string> hosts = group_.texts_of(std::move(worst), host_);
  for (std::size_t i = 0; i < load.worst.size(); ++i) load.worst[i].host = hosts[i];
  if (load.hosts == 0) return std::nullopt;
  return load;
}

}  // namespace mgbench

#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/units.h"

namespace mgbench {

// What else a machine did while it was measured, from what Linux tells of its processors.

/// Time of some processors since the machine started.
struct ProcessorTimes {
  Seconds busy = 0;   ///< in programs and in the kernel for them; without interrupts, which the job's messages cause
  Seconds steal = 0;  ///< taken by other virtual machines
  Seconds all = 0;    ///< busy, stolen, interrupted and idle: elapsed time times processors
};

/// What is read of one host at one time.
struct HostReading {
  ProcessorTimes processors;             ///< on which the job's ranks may run
  Seconds own = 0;                       ///< processor time of the job's ranks on this host
  std::optional<Seconds> stalled;        ///< time in which somebody waited for a processor (PSI), own threads included
  std::optional<double> clock_hertz;     ///< mean over the processors; where the kernel tells
  std::optional<std::size_t> throttled;  ///< times that a processor was slowed because it was too hot
};

/// One host between two readings; shares are of the processors' time.
struct HostLoad {
  std::string host;
  int first_rank = 0;  ///< lowest one on it
  int processors = 0;
  Seconds seconds = 0;  ///< between the readings
  double others = 0;    ///< busy, but not with this job
  double steal = 0;
  std::optional<double> stalled;  ///< share of the seconds; own threads included
  std::optional<double> begin_hertz, end_hertz;
  std::optional<std::size_t> throttled;

  bool busy_with_others() const;  ///< over 2 % and a tenth of a second
  bool stolen() const;            ///< over 1 %
  bool clock_changed() const;     ///< by over 5 %
  bool disturbed() const;         ///< any of these, or a processor was throttled
};

struct MachineLoad {
  std::size_t hosts = 0;
  std::size_t disturbed = 0;    ///< of them
  std::vector<HostLoad> worst;  ///< at most ten, disturbed ones first, then by what others and steal took
};

/// "0-3,8" of the operating system; what is no number is skipped.
std::set<int> processors_of(const std::string& list);

/// From the text of /proc/stat; zeros for processors that it does not name.
ProcessorTimes processor_times(const std::string& stat, const std::set<int>& processors, double ticks_per_second);

/// From the text of /proc/pressure/cpu; none where it has no total.
std::optional<Seconds> stalled_time(const std::string& pressure);

/// The host's name is left empty. None where the processors' times are not told or have not moved.
std::optional<HostLoad> load_between(const HostReading& begin, const HostReading& end, int processors);

/// `loads` of all hosts.
MachineLoad summarize_load(std::vector<HostLoad> loads);

}  // namespace mgbench

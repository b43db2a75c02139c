#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/communicator.h"
#include "bench/process_group.h"

namespace mgbench {

/// One way to sum over all ranks, timed.
class TimedAllreduce {
 public:
  virtual ~TimedAllreduce() = default;
  /// Sums `data` over the ranks in place; this rank's time of it.
  virtual Seconds operator()(std::span<float> data) = 0;
};

/// MPI_Allreduce from the main thread: what independent benchmarks see.
std::unique_ptr<TimedAllreduce> library_allreduce(ProcessGroup& group);

/// Through the data plane, from submission to noticed completion: what training sees.
std::unique_ptr<TimedAllreduce> engine_allreduce(Communicator& communicator);

/// Calls as a calibration makes them: ranks start each together after a barrier, on memory that the call before has not
/// left in a cache. Collective.
class AllreduceCalls {
 public:
  /// Of at most `largest` bytes each.
  AllreduceCalls(ProcessGroup& group, Bytes largest);

  /// This rank's time of one call.
  Seconds time(TimedAllreduce& allreduce, Bytes bytes);
  /// This rank's times of as many calls.
  std::vector<double> times(TimedAllreduce& allreduce, Bytes bytes, int calls);
  /// The same with a check of the sum. Throws Error(not_measured), which says that it is `name`'s, on the ranks where
  /// the sum is wrong.
  Seconds checked_time(TimedAllreduce& allreduce, Bytes bytes, const std::string& name);

  /// How many calls make one sample of an allreduce that takes `seconds`: a sample of a short one is the median of
  /// several.
  static int calls_a_sample(Seconds seconds);

 private:
  std::span<float> next(Bytes bytes);
  void check_sum(std::span<const float> data, const std::string& name) const;

  ProcessGroup& group_;
  std::vector<float> buffer_;
  std::size_t next_ = 0;
};

}  // namespace mgbench

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/calibration/gradient_buffer.h"
#include "bench/communicator.h"
#include "bench/gpu/stream_allreduce.h"
#include "bench/mpi/process_group.h"

namespace mgbench {

/// One way to sum over all ranks, timed.
class TimedAllreduce {
 public:
  virtual ~TimedAllreduce() = default;
  /// Sums `data` over the ranks in place; this rank's time of it. What a device did with `data` before has ended.
  virtual Seconds operator()(const GradientView& data) = 0;
};

/// MPI_Allreduce from the main thread: what independent benchmarks see.
std::unique_ptr<TimedAllreduce> library_allreduce(ProcessGroup& group);
/// The same in a device's memory, on a stream, until the main thread knows that it has ended.
std::unique_ptr<TimedAllreduce> library_allreduce(Device& device, std::unique_ptr<StreamAllreduce> allreduce);

/// Through the data plane, from submission to noticed completion: what training sees. `device`: in whose memory data
/// lie, and by whose clock it is timed; null: the host's.
std::unique_ptr<TimedAllreduce> engine_allreduce(Communicator& communicator, Device* device = nullptr);

/// How one sample of an allreduce is taken: the same on all ranks.
struct SamplePlan {
  int unmeasured = 0;  ///< calls before, after which nothing that came earlier shows any more
  int measured = 1;    ///< a sample of a short allreduce is the median of several calls
  Seconds call = 0;    ///< what was seen of one, on the slowest rank
};

/// For an allreduce that takes `call`.
SamplePlan plan_samples(Seconds call);

/// Calls as a calibration makes them: ranks start each together after a barrier, on memory that the call before has not
/// left in a cache. Collective.
class AllreduceCalls {
 public:
  /// Of at most `largest.bytes` each.
  AllreduceCalls(ProcessGroup& group, const GradientArena& largest);

  /// This rank's time of one call.
  Seconds time(TimedAllreduce& allreduce, Bytes bytes);
  /// The same with a check of the sum. Throws Error(not_measured), which says that it is `name`'s, on the ranks where
  /// the sum is wrong.
  Seconds checked_time(TimedAllreduce& allreduce, Bytes bytes, const std::string& name);
  /// Looks at a size until the plan stands. The same on all ranks.
  SamplePlan plan(TimedAllreduce& allreduce, Bytes bytes);
  /// This rank's times of a sample's measured calls.
  std::vector<double> sample(TimedAllreduce& allreduce, Bytes bytes, const SamplePlan& plan);

 private:
  /// A part of a buffer.
  struct Part {
    std::size_t begin = 0;
    std::size_t count = 0;
  };

  Part next(Bytes bytes);
  Seconds call(TimedAllreduce& allreduce, const Part& part);
  void fill(const Part& part, const std::function<float(std::size_t)>& value);
  void check_sum(const Part& part, const std::string& name);

  ProcessGroup& group_;
  const GradientArena largest_;
  GradientBuffer buffer_;
  std::size_t next_ = 0;
};

}  // namespace mgbench

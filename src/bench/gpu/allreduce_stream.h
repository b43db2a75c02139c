#pragma once

#include <memory>

#include "bench/gpu/own_stream.h"
#include "bench/gpu/stream_allreduce.h"

namespace mgbench {

/// A stream for sums over all ranks alone, urgent: short work that others wait for. While it lives, the device asks for
/// the health of what sums.
class AllreduceStream {
 public:
  AllreduceStream(Device& device, std::unique_ptr<StreamAllreduce> allreduce);
  /// Waits for the sums in flight. Where an exception is on its way they may never end: what sums gives them up. Where
  /// they fail it is left behind: the job is lost, and ending it in order takes all ranks.
  ~AllreduceStream();
  AllreduceStream(const AllreduceStream&) = delete;
  AllreduceStream& operator=(const AllreduceStream&) = delete;

  void wait(const Event& event) { device_.wait(stream_, event); }
  void enqueue(const GradientView& gradients) { allreduce_->enqueue(stream_, gradients); }
  Event record() { return device_.record(stream_); }

 private:
  Device& device_;
  std::shared_ptr<StreamAllreduce> allreduce_;
  std::shared_ptr<void> watch_;
  OwnStream stream_;
  int exceptions_;  ///< in flight at construction
};

}  // namespace mgbench

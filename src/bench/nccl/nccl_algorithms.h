#pragma once

#include "bench/calibration/library_algorithms.h"
#include "bench/nccl/ask_nccl.h"

namespace mgbench {

/// NCCL's allreduce in a device's memory: each algorithm that it offers, with the protocol left to it and with each
/// protocol, forced by NCCL_ALGO and NCCL_PROTO, which it reads when a communicator is made. What a forced one takes is
/// told by NCCL itself (ask_nccl): one that it refuses, or does not take at every size, is left out. So is what NCCL's
/// own table gives no bandwidth: LL128 loses data where it is forced on hardware that does not suit it.
class NcclAlgorithms final : public LibraryAlgorithms {
 public:
  /// Throws Error(bad_input) for one rank, and where something has set a variable, and Error(not_measured) where NCCL
  /// does not say what it offers. Collective.
  NcclAlgorithms(ProcessGroup& group, const GradientArena& largest);

  std::string name() const override { return "NCCL"; }
  std::string variable() const override { return "NCCL_ALGO, NCCL_PROTO"; }
  TimedAllreduce& own_choice() override { return *own_choice_; }
  const std::vector<Algorithm>& others() const override { return others_; }
  std::map<std::string, std::string> left_out() const override { return left_out_; }
  std::map<std::string, std::string> facts() const override { return facts_; }

 private:
  std::unique_ptr<TimedAllreduce> own_choice_;
  std::vector<Algorithm> others_;
  std::map<std::string, std::string> left_out_;
  std::map<std::string, std::string> facts_;
};

/// Throws Error(bad_input) where NCCL_ALGO or NCCL_PROTO is set: there is no own choice then.
void require_free_nccl();

}  // namespace mgbench

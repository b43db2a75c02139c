#pragma once

#include <string>
#include <vector>

#include "bench/communicator.h"
#include "bench/network.h"
#include "bench/process_group.h"
#include "planner/merge_plan.h"

namespace mgbench {

/// Proves that a schedule trains right before it is timed: from one saved state and one batch, two iterations
/// under the schedule beside two in which every gradient is summed plainly, in double precision. Collective.
class CorrectnessCheck {
 public:
  /// Runs the plain iterations; afterwards the network is in the state in which it came.
  CorrectnessCheck(ProcessGroup& group, Network& network);

  /// Empty when, after one iteration, each tensor's gradient is within 1e-5 of its norm of the plain sum, and
  /// after two the parameters are bit-equal on all ranks and each tensor within 1e-5 of its norm of the plain
  /// result. Else the reason, the same on every rank. The network's state is restored.
  std::string check(Communicator& communicator, const Schedule& schedule);

 private:
  std::string compare(const char* what, const std::vector<float>& values, const std::vector<float>& expected);

  ProcessGroup& group_;
  Network& network_;
  NetworkState before_;
  std::vector<float> gradients_;   ///< of the first plain iteration, summed
  std::vector<float> parameters_;  ///< after the second
};

/// Whether the parameters are bit-equal on all ranks. Collective.
bool parameters_agree(ProcessGroup& group, const Network& network);

}  // namespace mgbench

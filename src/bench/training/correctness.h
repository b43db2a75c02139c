#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "bench/communicator.h"
#include "bench/mpi/process_group.h"
#include "bench/network.h"
#include "planner/merge_plan.h"

namespace mgbench {

/// Proves that a schedule trains right before it is timed: from one saved state and one batch, two iterations
/// under the schedule beside two in which every gradient is summed plainly, in double precision. The second one starts
/// from the plain first one's state: sums in another order differ by roundings, which may turn a ReLU over and so
/// change the second gradient by a thousand times as much as any tolerance for sums. Collective.
class CorrectnessCheck {
 public:
  /// Runs the plain iterations; afterwards the network is in the state in which it came.
  CorrectnessCheck(ProcessGroup& group, Network& network);

  /// Empty when, after each iteration, every tensor's gradient and its parameters are within 1e-5 of their norm of the
  /// plain ones (of gradients in halves: within some of their roundings), and the parameters bit-equal on all ranks.
  /// Else the reason, the same on every rank. The network's state is restored.
  /// `captures`: of iterations that are captured once (CapturedStep).
  std::string check(Communicator& communicator, const Schedule& schedule, bool captures = false);

 private:
  /// What one plain iteration starts from, and what it leads to.
  struct Iteration {
    NetworkState before;
    std::vector<float> gradients;  ///< summed
  };

  /// `run` runs an iteration under the schedule.
  std::string check_iteration(std::size_t iteration, const std::function<void()>& run);
  std::string compare(const std::string& what, const std::vector<float>& values, const std::vector<float>& expected);

  ProcessGroup& group_;
  Network& network_;
  std::array<Iteration, 2> plain_;
  std::vector<float> parameters_;  ///< after both
};

/// Whether the parameters are bit-equal on all ranks. Collective.
bool parameters_agree(ProcessGroup& group, const Network& network);

}  // namespace mgbench

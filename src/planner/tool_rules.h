#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "base/units.h"
#include "planner/merge_problem.h"

namespace mgbench {

/// What a tool makes of one limit on the size of messages, and every other limit of which it makes the same.
struct LimitedPlan {
  static constexpr Bytes kNoBound = std::numeric_limits<Bytes>::max();
  std::vector<std::size_t> ends;
  Bytes least = 0;        ///< the smallest such limit
  Bytes most = kNoBound;  ///< the largest; kNoBound: every larger one
};

// All take tensors in ready order and never split one. Linear in tensors.

/// A message closes once it has reached `cap` >= 1 bytes (PyTorch DDP, Megatron-LM), the first one once it has
/// reached `first_cap` where that is another one.
LimitedPlan close_when_reached(const MergeProblem& problem, Bytes cap, std::optional<Bytes> first_cap = {});

/// A message closes before the tensor with which it would exceed `limit` >= 0 bytes (DeepSpeed's ZeRO); a larger tensor
/// goes alone.
LimitedPlan close_before_exceeding(const MergeProblem& problem, Bytes limit);

/// Horovod's background thread wakes once a cycle, fuses what is ready then, in ready order, into messages of
/// at most `threshold` >= 0 bytes (a larger tensor goes alone), and blocks until they have ended; a cycle that took
/// longer than its time is followed by the next one at once. Simulated in predicted time, the first cycle at
/// the iteration's start. Not simulated: negotiation between ranks and its response cache, copies into and
/// out of the fusion buffer, jitter of the cycles, and looking past a tensor that does not fit. The plan keeps the
/// groups alone: whoever runs or predicts it sends a group once it is ready, without waiting for a tick.
LimitedPlan fuse_in_cycles(const MergeProblem& problem, Bytes threshold, Seconds cycle);

}  // namespace mgbench

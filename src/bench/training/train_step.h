#pragma once

#include <vector>

#include "bench/communicator.h"
#include "bench/network.h"
#include "planner/merge_plan.h"

namespace mgbench {

/// The points in time of one iteration, in storage allocated before.
struct IterationMarks {
  explicit IterationMarks(std::size_t steps) : forward(steps), backward(steps) {}
  Mark begin;
  std::vector<Mark> forward;   ///< end of each step's forward
  std::vector<Mark> backward;  ///< end of each step's backward, by step
  Mark joined;                 ///< the last message has ended
  Mark end;                    ///< the update is done
};

/// THE loop: one iteration of synchronous SGD under a schedule. Nothing else happens in the timed region; what
/// activity() is told are relaxed stores.
void train_step(Network& network, Communicator& communicator, const Schedule& schedule, IterationMarks& marks);

/// The same without waiting for its end.
void enqueue_step(Network& network, Communicator& communicator, const Schedule& schedule, IterationMarks& marks);

}  // namespace mgbench

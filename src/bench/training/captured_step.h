#pragma once

#include <memory>

#include "bench/training/train_step.h"

namespace mgbench {

/// An iteration under a schedule as a graph of the network's device: train_step() without the host between its parts.
/// While it lives, `communicator` is its own: spans() are those of the latest run. Two of them must not take turns.
class CapturedStep {
 public:
  /// Runs one iteration plainly first, since libraries load what they need when it is first used, which a capture
  /// forbids; collective where there are messages.
  CapturedStep(Network& network, Communicator& communicator, const Schedule& schedule);

  /// One iteration; in the timed region.
  void run();
  /// Of the latest run, to be read before the next.
  const IterationMarks& marks() const { return marks_; }

 private:
  Network& network_;
  IterationMarks marks_;
  std::size_t messages_;
  std::unique_ptr<Graph> graph_;
};

}  // namespace mgbench

#pragma once

#include <span>
#include <vector>

#include "bench/communicator.h"
#include "bench/mpi/process_group.h"
#include "bench/network.h"
#include "bench/training/train_step.h"
#include "report/run_result.h"

namespace mgbench {

/// One rank's view of one iteration, relative to its own start.
struct IterationRecord {
  Seconds duration = 0;  ///< from the end of the iteration before
  Timeline timeline;     ///< as measured
  Seconds update = 0;
  std::vector<Seconds> forward_ends;   ///< by step
  std::vector<Seconds> backward_ends;  ///< by step
  bool overrun = false;                ///< a message's time cannot be trusted
};

/// Runs blocks of iterations of one replica. The timed region is train_step() alone; everything else happens
/// after a block.
class Trainer {
 public:
  /// `captures`: iterations are captured once a block, and launched (CapturedStep).
  Trainer(ProcessGroup& group, Network& network, Communicator& communicator, bool captures = false);

  Network& network() { return network_; }
  ProcessGroup& group() { return group_; }

  /// One barrier, then 1 + `iterations` iterations without one; the first is discarded. This rank's records. Where
  /// iterations are captured one more goes before them.
  std::vector<IterationRecord> run_block(const Schedule& schedule, int iterations);

  /// The same on rank 0 alone, without communication; the others sleep. Records on rank 0, nothing elsewhere.
  std::vector<IterationRecord> run_alone(int iterations);

 private:
  std::vector<IterationRecord> run(Communicator& communicator, const Schedule& schedule, int iterations);
  std::vector<IterationRecord> run_captured(Communicator& communicator, const Schedule& schedule, int iterations);
  /// But for the duration.
  IterationRecord read(const IterationMarks& marks, std::span<const MessageTimes> spans) const;

  ProcessGroup& group_;
  Network& network_;
  Communicator& communicator_;
  bool captures_;
};

/// Samples of a block, agreed over the ranks: of each iteration the slowest rank's time, and that rank's
/// components. Collective.
std::vector<Sample> agree_on_samples(ProcessGroup& group, const std::vector<IterationRecord>& records, int round);

}  // namespace mgbench

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/calibration/calibration_job.h"
#include "bench/command.h"
#include "bench/files/journal.h"
#include "bench/files/plan_files.h"
#include "bench/host/placement.h"
#include "bench/run_config.h"
#include "bench/terminal/progress.h"
#include "bench/training/rounds.h"
#include "bench/training/workload.h"
#include "report/run_result.h"

namespace mgbench {

/// How long a run takes where the user gives no --budget.
struct TimeLimits {
  Seconds budget = 0;
  Seconds patience = 0;  ///< where the budget is too short for the six rounds of an interval
};

/// The main job in its stages, to be called in this order by all ranks. Each fills in its part of the result.
///
/// A signal that any rank notes ends the rounds early on all; before the rounds it ends the run, which throws
/// Interrupted. After each round what there is is journaled.
class TrainingRun {
 public:
  TrainingRun(const RunConfig& config, TimeLimits limits, Session& session, Journal& journal);
  /// Where an exception is on its way the network's memory stays until the process ends: messages may be in flight, and
  /// MPI writes into it.
  ~TrainingRun();
  TrainingRun(const TrainingRun&) = delete;
  TrainingRun& operator=(const TrainingRun&) = delete;

  void preflight();
  void build();
  /// Why what follows up to the end of one round will take longer than what is left of the budget, by one iteration;
  /// empty: it will not. May be left out.
  std::string lack_of_time();
  void choose_communicator();  ///< by real iterations, where it is left open
  void calibrate();
  void plan();               ///< from a first look at profile and overlap; and the plans of --plan
  void add_cost_family();    ///< exact plans around the cost's uncertainty; of equal plans one is left
  void check_correctness();  ///< strategies that fail get no time
  void measure();
  void race();            ///< instead of measure(): losers are dropped early
  void predict();         ///< with the profile and the overlap of the rounds themselves
  RunResult result() &&;  ///< complete on rank 0

 private:
  void first_look();
  /// `make` is called on rank 0 alone.
  void add(const std::string& name, const std::string& origin, const std::function<MergePlan()>& make);
  void leave_one_of_equal_plans();
  void run_rounds(RoundsRequest request);
  RunResult so_far() const;              ///< with predictions of the first look; on rank 0
  Seconds end_of(Seconds budget) const;  ///< on the steady clock
  Seconds deadline() const;

  RunConfig config_;  ///< a copy, in which the communicator is no longer open once it is chosen
  TimeLimits limits_;
  Session& session_;
  ProcessGroup& group_;
  Journal& journal_;
  int exceptions_;  ///< in flight at construction
  Seconds begin_;
  Workload workload_;
  std::vector<PlanFile> given_;
  Progress progress_;
  Placement placement_;
  std::optional<CostModel> emulated_;
  std::unique_ptr<Communicator> communicator_;
  std::unique_ptr<Network> network_;
  GradientArena arena_;  ///< the network's
  std::optional<Trainer> trainer_;
  std::optional<CostModel> cost_;
  Seconds typical_iteration_ = 0;
  std::vector<Contestant> contestants_;  ///< three helpers (see the .cpp), then each strategy or plan that is correct
  RunResult result_;
};

}  // namespace mgbench

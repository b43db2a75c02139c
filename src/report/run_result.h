#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/merge_plan.h"
#include "planner/profile.h"
#include "planner/timeline.h"
#include "report/calibration.h"
#include "report/communicator_choice.h"
#include "report/machine_load.h"
#include "report/rank_times.h"
#include "report/statistics.h"

namespace mgbench {

/// One timed iteration: the slowest rank's time and that rank's components.
struct Sample {
  int round = 0;
  int position = 0;  ///< within the block; the first iteration of a block is not a sample
  int slowest_rank = 0;
  Seconds iteration = 0;
  Seconds forward = 0;
  Seconds backward = 0;
  Seconds exposed = 0;  ///< between the end of backward and the end of the last message
  Seconds update = 0;
  bool rejected = false;  ///< an emulated message overran its deadline
};

/// When and by whom a contestant was found too slow to go on.
struct Dropped {
  std::size_t rounds = 0;  ///< in which both had times
  std::string by;
};

/// What one strategy did in this run, or one plan.
struct StrategyResult {
  std::string strategy;
  std::vector<std::size_t> group_ends;  ///< the plan
  std::vector<Bytes> group_bytes;
  std::vector<Sample> samples;
  Timeline predicted;              ///< with the overlap that this run's other schedules showed
  Timeline predicted_no_overlap;   ///< as if messages and computation did not disturb each other
  Timeline measured;               ///< medians over the samples, rank 0
  std::vector<Seconds> transfers;  ///< of each message, with all ranks in: the shortest over ranks, median over samples
  std::string failure;             ///< why it has no times; empty: correct
  std::string origin;              ///< of a plan: where it comes from; empty: a strategy
  std::vector<std::string> same;   ///< others that make the same plan, and were not run beside it
  std::optional<Dropped> dropped;  ///< stayed to the end if not
  std::optional<RankTimes> arrival;  ///< of ranks at the end of backward, since their own begin

  MedianEstimate iteration() const;  ///< over rounds, each the median of its samples that were not rejected
  std::size_t rejected() const;      ///< samples that were
};

/// Hosts, devices, libraries, versions, binding, job: names in "group.key" form, in order of the report.
using Environment = std::map<std::string, std::string>;

/// A part of a run, and how long it took on rank 0.
struct Stage {
  std::string name;  ///< "calibrating"
  Seconds seconds = 0;
};

/// What `ended` begins with where a run did not come to its end.
inline constexpr std::string_view kNotEnded = "not ended";
inline constexpr std::string_view kBrokenOff = "broken off";

/// Everything that a run knows: saved as JSON, and every other form is derived from it.
struct RunResult {
  static constexpr int kSchema = 1;
  std::string command;  ///< reproduces it
  std::string date;     ///< ISO 8601, UTC
  Environment environment;
  std::uint64_t seed = 0;
  std::string model;
  std::string backend;
  std::string communicator;
  std::optional<CommunicatorChoice> communicator_choice;  ///< none: the user named it
  std::string emulated;                                   ///< "10GbE as 64 ranks"; empty: the real interconnect
  int ranks = 0;
  int threads = 0;  ///< a rank
  int batch = 0;    ///< images a rank
  Calibration calibration;
  std::string planning_cost;  ///< line or curve, and why
  Profile profile;            ///< from the rounds' schedule without communication
  Overlap overlap;            ///< fitted to all schedules of the rounds
  std::vector<Sample> without_communication;
  std::vector<Sample> probe;
  std::optional<RankTimes> computation;    ///< of ranks, forward and backward without communication
  std::optional<MachineLoad> load;         ///< by others, during the rounds; none: the machine does not tell
  std::optional<MedianEstimate> alone;     ///< an iteration of one rank, the others idle
  std::vector<StrategyResult> strategies;  ///< in order of the report
  std::vector<std::string> remarks;        ///< what the reader must know
  std::string ended;                       ///< "every interval under 2 %" or "budget of 60 s spent"
  std::vector<Stage> stages;               ///< what the run spent its time on, in order

  bool correct() const;  ///< no strategy failed its checks
  /// Neither kept while the run goes on nor broken off: `ended` begins with neither word.
  bool finished() const;
};

/// JSON of schema kSchema; seconds and bytes. from_json throws Error with `file` and the JSON path for
/// anything malformed, missing, unknown, of the wrong type or of another schema; to_json for a number that is
/// not finite.
std::string to_json(const RunResult& result);
RunResult run_result_from_json(const std::string& text, const std::string& file);

}  // namespace mgbench

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "planner/cost_model.h"
#include "planner/line_fit.h"
#include "planner/regime_fit.h"

namespace mgbench {

/// What readers take of a file: fitting takes memory by the square of the sizes, and time by more.
inline constexpr std::size_t kMostSizes = 300;
inline constexpr std::size_t kMostCurves = 100;

/// One size of a calibrated curve. Seconds are medians over calls of the slowest rank's time.
struct CalibrationPoint {
  Bytes bytes = 0;
  Seconds seconds = 0;
  std::optional<Interval> interval;  ///< 95 %; none with fewer than six samples
  std::size_t samples = 0;
};

/// 2 (P - 1) / P * m / t: what each link carries under an ideal allreduce, comparable
/// between numbers of ranks.
double bus_bandwidth(int ranks, Bytes bytes, Seconds seconds);  // bytes a second
/// m / t.
double algorithm_bandwidth(Bytes bytes, Seconds seconds);  // bytes a second

struct CalibrationCurve {
  std::string name;          ///< "library" or "engine"
  std::string communicator;  ///< "blocking MPI_Allreduce" or a registered name
  std::vector<CalibrationPoint> points;
  std::size_t calls = 0;   ///< that were timed; 0: not told
  std::size_t spikes = 0;  ///< of them took over ten times the median of their size, on the rank with most of them
  LineFit fit;
  RegimeFit regimes;
  Curve curve() const;
  /// Fits line and regimes to the points. Throws Error as the fits do.
  void fit_points();
};

/// What `mgbench calibrate` measured: allreduce of one job at one number of ranks.
struct Calibration {
  static constexpr int kSchema = 1;
  int ranks = 0;
  std::string library = "MPI";  ///< whose allreduce it is: MPI, NCCL, gloo, ...
  std::vector<CalibrationCurve> curves;
  Bytes left_out_above = 0;                       ///< larger sizes did not fit the budget and are extrapolated; 0: none
  std::string emulated;                           ///< the interconnect that was emulated; empty: a real one
  std::map<std::string, std::string> provenance;  ///< date, host, MPI, command, seed

  /// Throws Error naming the curves when there is none of that name.
  const CalibrationCurve& find(const std::string& name) const;
  /// What plans are made with: `engine`, or `library` where there is no such curve (imported logs).
  const CalibrationCurve& planning_curve() const;
  /// The cost for planning from that curve: line, regimes or measured curve by planning_choice().
  CostModel planning_cost() const;
  PlanningChoice planning_choice() const;
};

/// Throws Error that says what to do unless the calibration is of that number of ranks.
void require_ranks(const Calibration& calibration, const std::string& file, int ranks);

/// Readable YAML, the fits as comments: reading fits the points again, so that no file can hold a line that
/// is not theirs. from_yaml throws Error with `file`:line for anything malformed, missing, unknown or out of
/// range.
std::string to_yaml(const Calibration& calibration);
Calibration calibration_from_yaml(const std::string& text, const std::string& file);

}  // namespace mgbench

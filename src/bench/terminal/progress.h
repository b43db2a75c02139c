#pragma once

#include <string>
#include <vector>

#include "report/run_result.h"

namespace mgbench {

/// Says on standard error what is going on: one line rewritten on a terminal, plain lines elsewhere. Silent
/// on all but rank 0. On all ranks activity() is told.
class Progress {
 public:
  explicit Progress(bool speaks);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Begins a stage ("calibrating"): ends the one before.
  void stage(const std::string& name);
  /// Ends the last stage.
  void finish();
  /// How far the stage is, 0 to 1; only terminals show it.
  void advance(double share, const std::string& detail);
  /// A line of its own.
  void remark(const std::string& text);
  /// Those that have ended, in order.
  const std::vector<Stage>& stages() const { return stages_; }

 private:
  bool speaks_;
  bool terminal_;
  std::string stage_;  ///< empty: none
  Seconds begin_ = 0;
  std::vector<Stage> stages_;
};

/// Whether the user looks at standard error through a terminal, also where a launcher's pipe lies between
/// (launch.h says so to the ranks).
bool standard_error_is_terminal();

}  // namespace mgbench

#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/calibration/control_variable.h"
#include "bench/calibration/library_algorithms.h"

namespace mgbench {

/// What must be in the environment before MPI_Init: without it Open MPI does not look at the variable.
std::map<std::string, std::string> mpi_algorithm_environment();

/// The allreduce of the MPI library at hand, each of its algorithms forced through one control variable.
class MpiAlgorithms final : public LibraryAlgorithms {
 public:
  /// Throws Error(bad_input) when the library has no such variable, does not name its values, or the user has set it.
  /// Collective.
  explicit MpiAlgorithms(ProcessGroup& group);
  /// Leaves the variable as it was.
  ~MpiAlgorithms() override;

  std::string name() const override { return "the MPI library"; }
  std::string variable() const override { return variable_.name(); }
  TimedAllreduce& own_choice() override { return *own_choice_; }
  const std::vector<Algorithm>& others() const override { return others_; }

 private:
  ControlVariable variable_;
  std::unique_ptr<TimedAllreduce> own_choice_;
  std::vector<Algorithm> others_;
};

}  // namespace mgbench

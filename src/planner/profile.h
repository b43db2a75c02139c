#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/units.h"

namespace mgbench {

struct Tensor {
  std::string name;
  Bytes bytes = 0;
};

/// What an iteration of training costs without communication, and which gradients it yields when.
/// Steps are in forward order; backward runs them from last to first. All tensors of a step are ready at its
/// end.
struct Profile {
  struct Step {
    std::string name;
    Seconds forward = 0;
    Seconds backward = 0;
    std::vector<Tensor> tensors;  ///< in ready order
  };

  std::string model;
  std::string backend;
  int ranks = 1;
  int batch = 0;  ///< images a rank; 0: not told
  std::vector<Step> steps;
  Seconds update = 0;

  Seconds forward() const;
  Seconds backward() const;
  /// Forward and backward, summed in the order of execution: when the last backward step ends.
  Seconds computation() const;
  Bytes bytes() const;
};

/// One tensor as the planner sees it.
struct ReadyTensor {
  Bytes bytes = 0;
  Seconds ready = 0;     ///< from the iteration's start, forward included, no communication
  std::size_t step = 0;  ///< index into Profile::steps
};

/// All tensors in the order in which backward completes them: the order of the gradient arena.
std::vector<ReadyTensor> ready_tensors(const Profile& profile);

/// Throws Error unless times are finite and not negative, sizes positive, and there is at least one tensor.
void validate(const Profile& profile);

}  // namespace mgbench

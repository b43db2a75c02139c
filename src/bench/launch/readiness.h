#pragma once

#include <string>
#include <vector>

#include "bench/mpi/process_group.h"

namespace mgbench {

/// What a rank has found before it begins.
struct Readiness {
  std::string refusal;    ///< what is wrong with its input; empty: nothing
  bool uses_gpu = false;  ///< where nothing is wrong
  std::string no_gpu;     ///< why it cannot use one; empty: it can
};

/// Why the ranks cannot begin, by rank; empty: they can. What all refuse alike is said as one of them does.
std::string reason_not_to_begin(const std::vector<Readiness>& ranks, const std::vector<std::string>& hosts);

/// The same, of all ranks. Collective.
std::string reason_not_to_begin(ProcessGroup& group, const Readiness& own);

}  // namespace mgbench

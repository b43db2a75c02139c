#pragma once

#include <map>
#include <string>

#include "base/units.h"

namespace mgbench {

/// Open MPI's algorithms for MPI_Iallreduce, numbered as in its variable coll_libnbc_iallreduce_algorithm.
enum class IallreduceAlgorithm : int { library_choice = 0, ring = 1, rabenseifner = 3, recursive_doubling = 4 };

/// The one that moves little in few rounds: each round of a message in the background waits for the next
/// MPI_Test, so that rounds cost up to a nap each. Rounds and bytes that a rank sends for a message of m
/// bytes at P ranks:
///   recursive doubling  log2 P,    m log2 P          up to 32 KiB
///   Rabenseifner        2 log2 P,  2 (P-1)/P m       above, when P is a power of two (else it sends half as
///   much again) ring                2 (P-1),   2 (P-1)/P m       above, for other P
IallreduceAlgorithm choose_iallreduce_algorithm(int ranks, Bytes bytes);

/// Makes this process' next MPI_Iallreduce take that algorithm. Open MPI's own choice for a sum in place is a
/// binomial tree, up and down with the whole message: twice as long for large ones. Does nothing with another
/// MPI, or when the user has set the variable. Cheap while the choice does not change.
void select_iallreduce_algorithm(int ranks, Bytes bytes);

/// The variable and who sets it, for the run's environment; empty with another MPI. After MPI_Init.
std::map<std::string, std::string> iallreduce_settings(int ranks);

}  // namespace mgbench

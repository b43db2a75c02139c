#pragma once

#include <utility>
#include <vector>

#include "bench/mpi/process_group.h"
#include "bench/terminal/progress.h"
#include "report/pair_matrix.h"

namespace mgbench {

/// What a rank takes of memory: the messages, and the library's copies of them.
inline constexpr Bytes kPairsMemory = Bytes{16} << 20;

/// Rounds of disjoint pairs in which each of `nodes` nodes meets every other once (the circle method of tournaments):
/// nodes - 1 rounds, one more for an odd number. Of more nodes than kMostNodesInFull, as many of these rounds as that
/// number takes, spread evenly over all.
std::vector<std::vector<std::pair<int, int>>> pair_rounds(int nodes);

/// Latency and bandwidth between every two nodes by ping-pong, one rank a node (the lowest of a host; on a single host
/// every rank counts as a node), in pair_rounds(). Throws Error with fewer than two ranks. Complete on rank 0.
/// Collective.
PairMatrix measure_pairs(ProcessGroup& group, const std::string& host, Progress& progress);

}  // namespace mgbench

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/units.h"
#include "report/table.h"

namespace mgbench {

/// What a pair of nodes does alone, one way.
struct PairTime {
  std::size_t one = 0;  ///< below `other`
  std::size_t other = 0;
  Seconds latency = 0;
  double bandwidth = 0;  ///< bytes a second
};

/// Nodes whose every pair is measured; of more, each meets so many others less one, lest all takes the square of nodes.
inline constexpr std::size_t kMostNodesInFull = 64;

/// Nodes two by two.
struct PairMatrix {
  std::vector<std::string> nodes;  ///< "node1 (rank 0)", in order of ranks
  std::vector<double> link_rates;  ///< bytes a second, as each node's kernel tells; 0: it does not
  std::vector<PairTime> pairs;     ///< each once; all there are up to kMostNodesInFull nodes
};

/// A node whose links are all slow, or a link between two nodes that are not.
struct SlowPart {
  std::vector<std::size_t> nodes;  ///< one, or two
  double share = 1;                ///< its bandwidth by the typical one; below kSlow
};

/// Slower than this by the median of all links is called slow.
inline constexpr double kSlow = 0.7;

/// A node is slow if the median of its links is; a link if it is and neither of its nodes is (with two nodes there is
/// nothing to compare). The slowest first.
std::vector<SlowPart> slow_parts(const PairMatrix& matrix);

/// Latencies or bandwidths of all pairs.
std::vector<double> pair_values(const PairMatrix& matrix, double PairTime::*value);

/// Of the pairs whose two interfaces' rates are told: bandwidth by the lower rate.
std::vector<double> link_shares(const PairMatrix& matrix);

/// The matrices (up to 16 nodes; above that their quantiles), slow nodes and links by name, and the share of the
/// links' rates that is reached.
std::string format_pairs(const PairMatrix& matrix, std::size_t width = kDefaultWidth);

std::string pairs_to_json(const PairMatrix& matrix);

/// Throws Error with `file` for anything that pairs_to_json does not write.
PairMatrix pairs_from_json(const std::string& text, const std::string& file);

}  // namespace mgbench

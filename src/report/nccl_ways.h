#pragma once

#include <set>
#include <string>
#include <vector>

#include "report/nccl_words.h"

namespace mgbench {

/// One of NCCL's algorithms, with one protocol or ("") with those that it chooses itself.
struct NcclWay {
  std::string algorithm;  ///< "Ring"
  std::string protocol;   ///< "LL128"
  bool operator==(const NcclWay&) const = default;

  /// "Ring/LL128", "Ring".
  std::string name() const { return protocol.empty() ? algorithm : algorithm + "/" + protocol; }
};

/// What can be had of what is offered: each algorithm by itself, and where it has several protocols with each.
std::vector<NcclWay> ways_to_try(const std::vector<NcclOffer>& offers);
/// Names of what is not: algorithms, or algorithms with a protocol.
std::vector<std::string> not_offered(const std::vector<NcclOffer>& offers);

/// Why `said` is not `way` at all of `sizes`; empty: it is.
std::string deviation(const NcclWay& way, const std::vector<NcclChoice>& said, const std::vector<Bytes>& sizes);

/// Sizes at which both are the same, channels included.
std::set<Bytes> same_choices(const std::vector<NcclChoice>& left, const std::vector<NcclChoice>& right);

}  // namespace mgbench

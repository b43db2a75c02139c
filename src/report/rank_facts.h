#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"

namespace mgbench {

struct NetworkInterface {
  std::string name;
  std::string address;  ///< IPv4
};

/// What a rank tells of itself and its host before a run.
struct RankFacts {
  std::string host;
  std::string program;                       ///< mgbench's version, commit, build and compiler
  std::string mpi;                           ///< the library's own words
  std::string processor;                     ///< model name
  Seconds clock = 0;                         ///< since 1970, read by all ranks at about the same time
  std::int64_t open_files = -1;              ///< limit; -1: none
  Bytes locked_memory = -1;                  ///< limit; -1: none
  bool has_infiniband = false;               ///< the host, or another network that registers memory
  std::vector<NetworkInterface> interfaces;  ///< that are up, without loopback
  std::vector<std::string> carriers;         ///< interfaces over which messages between hosts were seen to go
};

std::string to_json(const RankFacts& facts);
/// Throws Error for anything that to_json does not write.
RankFacts rank_facts_from_json(const std::string& text);

/// What is unusual in it, each with where and what to do: ranks that run another mgbench or another MPI library, unlike
/// processors, clocks that differ, addresses that several hosts have, messages between hosts over unlike or virtual
/// interfaces, limits that are too low for as many ranks. `facts` by rank.
std::vector<std::string> find_oddities(const std::vector<RankFacts>& facts);

}  // namespace mgbench

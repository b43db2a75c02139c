#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>

namespace mgbench {

/// The devices that one run of nccl-tests lists: how many ranks took part in its allreduce.
class NcclRanks {
 public:
  /// One listed rank. `group`: the communicator that it is in (NCCL_TESTS_SPLIT).
  void add(int group, int rank, const std::string& file, std::size_t line);
  bool empty() const { return groups_.empty(); }
  /// The line of the first listed rank.
  std::size_t line() const { return line_; }

  /// Of each group; 0: none listed. Throws Error with `file`:line for lists with gaps and groups of different sizes.
  int count(const std::string& file) const;

 private:
  std::map<int, std::set<int>> groups_;
  std::size_t line_ = 0;
};

/// Throws Error: every process takes itself for rank 0, so that nothing was reduced between them.
[[noreturn]] void fail_without_mpi(const std::string& file, std::size_t line);

}  // namespace mgbench

#include "report/import/nccl_ranks.h"

#include "report/document.h"

namespace mgbench {

void NcclRanks::add(int group, int rank, const std::string& file, std::size_t line) {
  if (line_ == 0) line_ = line;
  if (groups_[group].insert(rank).second) return;
  if (rank == 0 && groups_[group].size() == 1) fail_without_mpi(file, line);
  fail_at(file, line, fmt::format("rank {} is listed twice in one run", rank));
}

int NcclRanks::count(const std::string& file) const {
  std::size_t listed = 0;
  int largest = 0;
  for (const auto& [group, ranks] : groups_) {
    listed += ranks.size();
    largest = std::max(largest, *ranks.rbegin());
    if (ranks.size() != groups_.begin()->second.size())
      fail_at(file, line_, "groups of different numbers of ranks, expected groups of one size");
  }
  if (listed > 0 && largest + 1 != static_cast<int>(listed))
    fail_at(file, line_, fmt::format("{} ranks are listed, the last is rank {}: the list has gaps", listed, largest));
  return groups_.empty() ? 0 : static_cast<int>(groups_.begin()->second.size());
}

void fail_without_mpi(const std::string& file, std::size_t line) {
  fail_at(file, line,
          "every process is rank 0 of its own and reduced nothing with the others: nccl-tests was built without MPI; "
          "build it with MPI=1");
}

}  // namespace mgbench

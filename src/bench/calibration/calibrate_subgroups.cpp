#include "bench/calibration/calibrate_subgroups.h"

#include <algorithm>
#include <optional>

#include "bench/calibration/subgroups.h"
#include "bench/watch/activity.h"
#include "report/calibration.h"

namespace mgbench {
namespace {

/// The hosts of all ranks, on every rank.
std::vector<std::string> all_hosts(ProcessGroup& group, const std::string& host) {
  std::string lines;
  for (const std::string& name : group.gather(host)) lines += name + '\n';
  group.broadcast(lines);
  std::vector<std::string> hosts;
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = lines.find('\n', begin);
    hosts.push_back(lines.substr(begin, end - begin));
    begin = end + 1;
  }
  return hosts;
}

/// A communicator of MPI's own, freed at the end.
class SplitCommunicator {
 public:
  SplitCommunicator(const ProcessGroup& group, bool member) {
    check_mpi(MPI_Comm_split(group.handle(), member ? 0 : MPI_UNDEFINED, group.rank(), &handle_), "MPI_Comm_split");
  }
  ~SplitCommunicator() {
    if (handle_ != MPI_COMM_NULL) MPI_Comm_free(&handle_);
  }
  SplitCommunicator(const SplitCommunicator&) = delete;
  SplitCommunicator& operator=(const SplitCommunicator&) = delete;
  MPI_Comm handle() const { return handle_; }

 private:
  MPI_Comm handle_ = MPI_COMM_NULL;
};

}  // namespace

std::vector<SubgroupCalibration> calibrate_subgroups(const RunConfig& config, ProcessGroup& group,
                                                     const std::string& host, const GradientArena& arena,
                                                     Seconds budget, Progress& progress) {
  const std::vector<Subgroup> groups = subgroups(all_hosts(group, host));
  std::vector<SubgroupCalibration> results;
  for (const Subgroup& subgroup : groups) {
    const bool member = std::binary_search(subgroup.ranks.begin(), subgroup.ranks.end(), group.rank());
    const SplitCommunicator split(group, member);
    std::string saved;
    if (member) {
      const AmongSomeRanks some;
      ProcessGroup own(split.handle());
      const auto communicator = make_communicator(config, own, std::nullopt, false, arena);
      Calibration calibration = calibrate(config, own, *communicator, arena,
                                          {.seconds = budget / static_cast<double>(groups.size())}, progress);
      calibration.provenance["layout"] = subgroup.layout;
      if (own.is_root()) saved = to_yaml(calibration);
    }
    group.quiet_barrier();
    // Rank 0 writes results, and need not be a member.
    group.broadcast(saved, subgroup.ranks.front());
    results.push_back({subgroup.layout, calibration_from_yaml(saved, "a subgroup's calibration")});
  }
  return results;
}

}  // namespace mgbench

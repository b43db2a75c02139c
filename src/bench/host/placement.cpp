#include "bench/host/placement.h"

#include <mpi.h>

#include <algorithm>
#include <array>

#include "bench/host/machine.h"

namespace mgbench {
namespace {

/// The ranks on this rank's host.
class HostGroup {
 public:
  explicit HostGroup(const ProcessGroup& group) {
    check_mpi(MPI_Comm_split_type(group.handle(), MPI_COMM_TYPE_SHARED, group.rank(), MPI_INFO_NULL, &communicator_),
              "MPI_Comm_split_type");
    MPI_Comm_rank(communicator_, &rank_);
    MPI_Comm_size(communicator_, &size_);
  }
  ~HostGroup() { MPI_Comm_free(&communicator_); }
  HostGroup(const HostGroup&) = delete;
  HostGroup& operator=(const HostGroup&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }

  std::vector<std::string> all(const std::string& text) const {
    std::vector<std::array<char, 1024>> texts(static_cast<std::size_t>(size_));
    std::array<char, 1024> own{};
    text.copy(own.data(), own.size() - 1);
    check_mpi(MPI_Allgather(own.data(), static_cast<int>(own.size()), MPI_CHAR, texts.data(),
                            static_cast<int>(own.size()), MPI_CHAR, communicator_),
              "MPI_Allgather");
    std::vector<std::string> result;
    for (const auto& one : texts) result.emplace_back(one.data());
    return result;
  }

 private:
  MPI_Comm communicator_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace

Placement place_rank(ProcessGroup& group, std::optional<int> wanted) {
  const HostGroup host(group);
  Placement placement{.host = host_name(),
                      .binding = current_binding(),
                      .host_ranks = host.size(),
                      .shares_cores = false,
                      .threads = 1};
  const std::vector<std::string> bindings = host.all(placement.binding);
  for (int other = 0; other < host.size(); ++other)
    if (other != host.rank() && bindings_overlap(placement.binding, bindings[static_cast<std::size_t>(other)]))
      placement.shares_cores = true;
  const int cores = bound_cores();
  placement.threads = wanted.value_or(placement.shares_cores ? std::max(1, cores / host.size()) : cores);
  return placement;
}

}  // namespace mgbench

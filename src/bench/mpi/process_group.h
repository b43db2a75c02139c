#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"

namespace mgbench {

/// Throws Error(not_measured) with MPI's own text unless `status` is MPI_SUCCESS. `call` names what was
/// tried.
void check_mpi(int status, const char* call);

/// The control plane: all ranks of the job, always over MPI. Never used while the data plane has messages in
/// flight, so that MPI_THREAD_SERIALIZED is enough. Every call is collective over the ranks.
class ProcessGroup {
 public:
  /// Duplicates `communicator`, so that control and data never mix.
  explicit ProcessGroup(MPI_Comm communicator);
  ~ProcessGroup();
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool is_root() const { return rank_ == 0; }
  MPI_Comm handle() const { return communicator_; }

  void barrier();
  /// A barrier in which waiting ranks sleep instead of spinning, so that they do not disturb those that still
  /// work.
  void quiet_barrier();
  void broadcast(std::string& text, int from = 0);
  void broadcast(std::vector<double>& values);
  void broadcast(std::vector<std::uint64_t>& values);
  double maximum(double value);
  double minimum(double value);
  double sum(double value);
  bool all(bool value);
  /// Element-wise over ranks; every rank passes as many values.
  std::vector<double> maximum(std::span<const double> values);
  std::vector<double> minimum(std::span<const double> values);
  /// For each value the lowest rank that has the largest.
  std::vector<int> rank_of_maximum(std::span<const double> values);
  /// Sum over ranks in double precision, in place.
  void sum(std::span<double> values);
  /// Every rank's text, by rank, on rank 0; empty elsewhere.
  std::vector<std::string> gather(const std::string& text);
  /// The texts of `ranks` (rank 0's), in that order, on every rank: a broadcast each, for a few of many ranks.
  std::vector<std::string> texts_of(std::vector<std::uint64_t> ranks, const std::string& text);
  /// Every rank's values (as many on each), by rank, on rank 0; empty elsewhere.
  std::vector<double> gather(std::span<const double> values);

 private:
  MPI_Comm communicator_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
};

/// Those of `group` on this rank's host, in its order. Collective.
ProcessGroup ranks_of_host(const ProcessGroup& group);

}  // namespace mgbench

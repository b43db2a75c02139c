#include "bench/mpi/process_group.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "bench/communicators/mpi_chunks.h"
#include "bench/watch/activity.h"

namespace mgbench {
namespace {

void broadcast_bytes(void* data, std::size_t bytes, int from, MPI_Comm communicator) {
  const WaitForRanks wait;
  for_each_chunk(bytes, [&](std::size_t offset, int count) {
    check_mpi(MPI_Bcast(static_cast<char*>(data) + offset, count, MPI_BYTE, from, communicator), "MPI_Bcast");
  });
}

/// Resizes on the other ranks to the sender's size, then broadcasts the elements.
template <typename Container>
void broadcast_container(Container& values, int from, MPI_Comm communicator) {
  std::uint64_t size = values.size();
  broadcast_bytes(&size, sizeof size, from, communicator);
  values.resize(size);
  broadcast_bytes(values.data(), size * sizeof(typename Container::value_type), from, communicator);
}

double reduce(double value, MPI_Op operation, MPI_Comm communicator) {
  const WaitForRanks wait;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, operation, communicator), "MPI_Allreduce");
  return value;
}

void reduce(std::span<double> values, MPI_Op operation, MPI_Comm communicator) {
  const WaitForRanks wait;
  for_each_chunk(values.size(), [&](std::size_t offset, int count) {
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, values.data() + offset, count, MPI_DOUBLE, operation, communicator),
              "MPI_Allreduce");
  });
}

/// Brings every rank's bytes to rank 0, where `place(rank)` says to which address. Point to point, rank by
/// rank: a gather's displacements are ints, and all ranks' texts together may be larger.
template <typename Place>
void collect(const ProcessGroup& group, const void* own, std::uint64_t own_bytes, Place&& place) {
  const WaitForRanks wait;
  std::vector<std::uint64_t> bytes(group.is_root() ? static_cast<std::size_t>(group.size()) : 0);
  check_mpi(MPI_Gather(&own_bytes, 1, MPI_UINT64_T, bytes.data(), 1, MPI_UINT64_T, 0, group.handle()), "MPI_Gather");
  if (!group.is_root()) {
    for_each_chunk(own_bytes, [&](std::size_t offset, int count) {
      check_mpi(MPI_Send(static_cast<const char*>(own) + offset, count, MPI_BYTE, 0, 0, group.handle()), "MPI_Send");
    });
    return;
  }
  for (int rank = 0; rank < group.size(); ++rank) {
    char* target = place(rank, bytes[static_cast<std::size_t>(rank)]);
    if (rank == 0) {
      std::copy_n(static_cast<const char*>(own), own_bytes, target);
      continue;
    }
    for_each_chunk(bytes[static_cast<std::size_t>(rank)], [&](std::size_t offset, int count) {
      check_mpi(MPI_Recv(target + offset, count, MPI_BYTE, rank, 0, group.handle(), MPI_STATUS_IGNORE), "MPI_Recv");
    });
  }
}

}  // namespace

void check_mpi(int status, const char* call) {
  if (status == MPI_SUCCESS) return;
  std::string text(MPI_MAX_ERROR_STRING, '\0');
  int length = 0;
  MPI_Error_string(status, text.data(), &length);
  text.resize(static_cast<std::size_t>(length));
  fail(ExitCode::not_measured, "{} failed: {}", call, text);
}

ProcessGroup::ProcessGroup(MPI_Comm communicator) {
  check_mpi(MPI_Comm_dup(communicator, &communicator_), "MPI_Comm_dup");
  check_mpi(MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check_mpi(MPI_Comm_rank(communicator_, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(communicator_, &size_), "MPI_Comm_size");
}

ProcessGroup::~ProcessGroup() {
  MPI_Comm_free(&communicator_);
}

void ProcessGroup::barrier() {
  const WaitForRanks wait;
  check_mpi(MPI_Barrier(communicator_), "MPI_Barrier");
}

void ProcessGroup::quiet_barrier() {
  const WaitForRanks wait;
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibarrier(communicator_, &request), "MPI_Ibarrier");
  for (int done = 0;;) {
    check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done != 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

void ProcessGroup::broadcast(std::string& text, int from) {
  broadcast_container(text, from, communicator_);
}
void ProcessGroup::broadcast(std::vector<double>& values) {
  broadcast_container(values, 0, communicator_);
}
void ProcessGroup::broadcast(std::vector<std::uint64_t>& values) {
  broadcast_container(values, 0, communicator_);
}

double ProcessGroup::maximum(double value) {
  return reduce(value, MPI_MAX, communicator_);
}
double ProcessGroup::minimum(double value) {
  return reduce(value, MPI_MIN, communicator_);
}
double ProcessGroup::sum(double value) {
  return reduce(value, MPI_SUM, communicator_);
}
bool ProcessGroup::all(bool value) {
  return minimum(value ? 1 : 0) > 0;
}

std::vector<double> ProcessGroup::maximum(std::span<const double> values) {
  std::vector<double> result(values.begin(), values.end());
  reduce(result, MPI_MAX, communicator_);
  return result;
}

std::vector<double> ProcessGroup::minimum(std::span<const double> values) {
  std::vector<double> result(values.begin(), values.end());
  reduce(result, MPI_MIN, communicator_);
  return result;
}

std::vector<int> ProcessGroup::rank_of_maximum(std::span<const double> values) {
  struct Ranked {
    double value;
    int rank;
  };
  const WaitForRanks wait;
  std::vector<Ranked> ranked;
  ranked.reserve(values.size());
  for (const double value : values) ranked.push_back({value, rank_});
  for_each_chunk(ranked.size(), [&](std::size_t offset, int count) {
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, ranked.data() + offset, count, MPI_DOUBLE_INT, MPI_MAXLOC, communicator_),
              "MPI_Allreduce");
  });
  std::vector<int> ranks;
  ranks.reserve(ranked.size());
  for (const Ranked& one : ranked) ranks.push_back(one.rank);
  return ranks;
}

void ProcessGroup::sum(std::span<double> values) {
  reduce(values, MPI_SUM, communicator_);
}

std::vector<std::string> ProcessGroup::gather(const std::string& text) {
  std::vector<std::string> result(is_root() ? static_cast<std::size_t>(size_) : 0);
  collect(*this, text.data(), text.size(), [&](int rank, std::uint64_t bytes) {
    std::string& target = result[static_cast<std::size_t>(rank)];
    target.resize(bytes);
    return target.data();
  });
  return result;
}

std::vector<std::string> ProcessGroup::texts_of(std::vector<std::uint64_t> ranks, const std::string& text) {
  broadcast(ranks);
  std::vector<std::string> result(ranks.size(), text);
  for (std::size_t i = 0; i < ranks.size(); ++i) broadcast(result[i], static_cast<int>(ranks[i]));
  return result;
}

std::vector<double> ProcessGroup::gather(std::span<const double> values) {
  std::vector<double> result(is_root() ? values.size() * static_cast<std::size_t>(size_) : 0);
  collect(*this, values.data(), values.size_bytes(), [&](int rank, std::uint64_t bytes) {
    require(bytes == values.size_bytes(), "gather: rank {} has {} bytes where rank 0 has {}", rank, bytes,
            values.size_bytes());
    return reinterpret_cast<char*>(result.data() + static_cast<std::size_t>(rank) * values.size());
  });
  return result;
}

ProcessGroup ranks_of_host(const ProcessGroup& group) {
  MPI_Comm host = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(group.handle(), MPI_COMM_TYPE_SHARED, group.rank(), MPI_INFO_NULL, &host),
            "MPI_Comm_split_type");
  const auto free = [](MPI_Comm* communicator) { MPI_Comm_free(communicator); };
  const std::unique_ptr<MPI_Comm, decltype(free)> freed(&host, free);
  return ProcessGroup(host);  // its duplicate stays
}

}  // namespace mgbench

#include "bench/cuda/claim_device.h"

#include <mpi.h>

#include <array>
#include <map>

#include "bench/cuda/check.h"
#include "bench/host/machine.h"

namespace mgbench::cuda {
namespace {

int claimed = 0;

/// Of this process among those of `group` on its host.
int place_on_host(const ProcessGroup& group) {
  MPI_Comm host = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(group.handle(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host), "MPI_Comm_split_type");
  int place = 0;
  check_mpi(MPI_Comm_rank(host, &place), "MPI_Comm_rank");
  check_mpi(MPI_Comm_free(&host), "MPI_Comm_free");
  return place;
}

std::string bus_id(int device) {
  std::array<char, 32> text{};
  check(cudaDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()), device), "cudaDeviceGetPCIBusId");
  return text.data();
}

}  // namespace

int visible_devices() {
  int devices = 0;
  check(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
  return devices;
}

int claimed_device() {
  return claimed;
}

void take_device(int device) {
  claimed = device;
}

void claim_device(ProcessGroup& group) {
  const int devices = visible_devices();
  const int place = place_on_host(group);
  // A launcher may show each rank one device alone.
  claimed = devices == 1 ? 0 : place % devices;
  const std::vector<std::string> taken = group.gather(fmt::format("{} of {}", bus_id(claimed), host_name()));
  std::string refusal;
  std::map<std::string, std::size_t> first;
  for (std::size_t rank = 0; rank < taken.size() && refusal.empty(); ++rank)
    if (const auto [other, fresh] = first.try_emplace(taken[rank], rank); !fresh)
      refusal = fmt::format(
          "ranks {} and {} would share the GPU {}: NCCL takes one rank a GPU, and two would slow each other down; "
          "start as "
          "many ranks as there are GPUs (-n), or give each rank its own (--gpus-per-task=1)",
          other->second, rank, taken[rank]);
  group.broadcast(refusal);
  require(refusal.empty(), "{}", refusal);
}

}  // namespace mgbench::cuda

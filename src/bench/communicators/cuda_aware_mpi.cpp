#include "bench/communicators/cuda_aware_mpi.h"

#include <dlfcn.h>
#include <mpi.h>

#include <optional>

#include "bench/mpi/mpi_session.h"
#include "bench/mpi/process_group.h"

namespace mgbench {
namespace {

/// Extensions are no part of the standard: they are looked for in the library that is loaded.
template <typename Function>
Function* extension(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

/// Open MPI has the first extension, MPICH the second, newer ones both; none: it does not say.
std::optional<bool> takes_addresses() {
  if (const auto query = extension<int()>("MPIX_Query_cuda_support")) return query() != 0;
  if (const auto query = extension<int(int, int*)>("MPIX_GPU_query_support")) {
    constexpr int kCuda = 0;  // MPIX_GPU_SUPPORT_CUDA
    int supported = 0;
    check_mpi(query(kCuda, &supported), "MPIX_GPU_query_support");
    return supported != 0;
  }
  return std::nullopt;
}

}  // namespace

std::string cuda_aware_obstacle() {
  const auto takes = takes_addresses();
  if (!takes) return mpi_library_version() + " does not say whether it is CUDA-aware";
  int initialized = 0;
  check_mpi(MPI_Initialized(&initialized), "MPI_Initialized");
  return *takes || initialized == 0 ? "" : mpi_library_version() + " was built without CUDA";
}

}  // namespace mgbench

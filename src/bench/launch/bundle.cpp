#include "bench/launch/bundle.h"

#include <cstdlib>

#include "bench/build_info.h"

namespace mgbench {

std::string bundle_folder() {
  const char* folder = std::getenv("MGBENCH_BUNDLE");
  return folder != nullptr ? folder : "";
}

std::string mpi_launcher() {
  const std::string folder = bundle_folder();
  return folder.empty() ? kMpiLauncher : folder + "/openmpi/bin/mpirun";
}

}  // namespace mgbench

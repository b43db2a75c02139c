#pragma once

#include <string>

namespace mgbench {

/// The folder of scripts/bundle that this program was started from, as its bin/mgbench says (MGBENCH_BUNDLE); empty
/// elsewhere. The MPI in it serves one machine.
std::string bundle_folder();

/// mpirun or mpiexec of the MPI that this program is linked with.
std::string mpi_launcher();

}  // namespace mgbench

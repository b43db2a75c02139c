#pragma once

#include <string>

namespace mgbench {

/// Why this MPI does not take addresses of a GPU's memory, as far as it says; empty when it does. Before MPI_Init some
/// MPIs do not know yet: then empty, too.
std::string cuda_aware_obstacle();

}  // namespace mgbench

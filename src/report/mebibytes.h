#pragma once

#include <string>

#include "base/units.h"

namespace mgbench {

/// The decimal with the fewest digits that int(x * 1024 * 1024), computed in doubles, takes into [least, most]:
/// how PyTorch reads bucket_cap_mb. "25", "0.3". 0 < least <= most.
std::string shortest_mebibytes(Bytes least, Bytes most);

}  // namespace mgbench

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/document.h"

namespace mgbench {

/// Bytes of an element by the name that a framework gives its type.
using ElementSizes = std::vector<std::pair<std::string, Bytes>>;

/// Bytes of a tensor. Throws Error at `where` for an unknown type (naming the nearest), a size above 2^40 B, or none.
Bytes tensor_bytes(const std::vector<Bytes>& shape, const std::string& type, const ElementSizes& sizes,
                   const Value& where);

}  // namespace mgbench

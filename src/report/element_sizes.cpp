#include "report/element_sizes.h"

#include <algorithm>

#include "base/names.h"

namespace mgbench {

Bytes tensor_bytes(const std::vector<Bytes>& shape, const std::string& type, const ElementSizes& sizes,
                   const Value& where) {
  constexpr Bytes kLargest = Bytes{1} << 40;
  const auto found = std::find_if(sizes.begin(), sizes.end(), [&](const auto& entry) { return entry.first == type; });
  if (found == sizes.end()) {
    std::vector<std::string> names;
    for (const auto& entry : sizes) names.push_back(entry.first);
    where.wrong("unknown element type '{}'{}", type, suggestion(type, names));
  }
  Bytes bytes = found->second;
  for (const Bytes extent : shape) {
    if (extent < 1 || extent > kLargest / bytes)
      where.wrong("an extent of {} gives no gradient of 1 B to 2^40 B", extent);
    bytes *= extent;
  }
  return bytes;
}

}  // namespace mgbench

#include "report/mebibytes.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "base/error.h"

namespace mgbench {

std::string shortest_mebibytes(Bytes least, Bytes most) {
  require(0 < least && least <= most, "a range of {} to {} bytes; expected one above zero that is not empty", least,
          most);
  constexpr double kMebibyte = 1 << 20;
  double digits = 1;
  for (int decimals = 0;; ++decimals, digits *= 10) {
    // Rounded up to this many decimals; one further, in case that rounding down to whole bytes falls short.
    const double start = std::ceil(static_cast<double>(least) / kMebibyte * digits);
    for (const double units : {start, start + 1}) {
      std::string text = fmt::format("{:.{}f}", units / digits, decimals);
      const double bytes = std::stod(text) * kMebibyte;
      if (bytes >= static_cast<double>(least) && std::floor(bytes) <= static_cast<double>(most)) return text;
    }
  }
}

}  // namespace mgbench

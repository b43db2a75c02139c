#include "base/units.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/names.h"

namespace mgbench {

std::string format_seconds(Seconds seconds) {
  const double magnitude = std::abs(seconds);
  if (magnitude >= 1.0) return fmt::format("{:.3g} s", seconds);
  if (magnitude >= 1e-3) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} us", seconds * 1e6);
}

std::string format_bytes(Bytes bytes) {
  const auto value = static_cast<double>(bytes);
  if (bytes >= Bytes{1} << 30) return fmt::format("{:.1f} GiB", value / (1 << 30));
  if (bytes >= Bytes{1} << 20) return fmt::format("{:.1f} MiB", value / (1 << 20));
  if (bytes >= Bytes{1} << 10) return fmt::format("{:.1f} KiB", value / (1 << 10));
  return fmt::format("{} B", bytes);
}

Bytes parse_bytes(std::string_view text, std::string_view what) {
  static constexpr std::array<std::pair<std::string_view, double>, 8> kUnits{
      {{"", 1}, {"B", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}}};
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  require(error == std::errc() && std::isfinite(number) && number >= 0,
          "{}: '{}' is not a size; expected a number with one of B KiB MiB GiB KB MB GB", what, text);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  for (const auto& [name, factor] : kUnits)
    if (unit == name) {
      require(number * factor < 9e18, "{}: '{}' is too large", what, text);
      return static_cast<Bytes>(std::llround(number * factor));
    }
  std::vector<std::string> names;
  for (const auto& [name, factor] : kUnits) names.emplace_back(name);
  fail(ExitCode::bad_input, "{}: unknown unit '{}' in '{}'{}", what, unit, text, suggestion(unit, names));
}

}  // namespace mgbench

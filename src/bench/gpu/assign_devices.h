#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace mgbench {

/// A device that a rank sees.
struct SeenDevice {
  std::string bus_id;
  int distance = 0;  ///< from the rank's processors, not below 0
};

/// The index at which a rank finds its device where distances do not matter: that of its place among the ranks of its
/// host, or the only one that its launcher shows it.
constexpr std::size_t usual_device(std::size_t place, std::size_t seen) {
  return place % seen;
}

/// For each rank of a host, which of the devices that it sees (one at least) is its own: no two have the same, and the
/// sum of distances is least. Of several such assignments the one with the least sum of squares of how far each is from
/// usual_device(): ranks that distances do not tell apart keep their order. None where there is no device for each.
std::optional<std::vector<std::size_t>> assign_devices(const std::vector<std::vector<SeenDevice>>& ranks);

}  // namespace mgbench

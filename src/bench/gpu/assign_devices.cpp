#include "bench/gpu/assign_devices.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>

namespace mgbench {
namespace {

using Cost = std::int64_t;

constexpr Cost kUnseen = std::numeric_limits<Cost>::max() / 4;
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

/// Gives ranks devices one after another, each time with the least sum of costs over the ranks so far: a rank takes a
/// device, whose owner takes another one, and so on up to a free one (successive shortest paths).
class Assignment {
 public:
  /// costs[rank][device]
  explicit Assignment(const std::vector<std::vector<Cost>>& costs)
      : costs_(costs), owner_(costs.front().size(), kNone) {}

  /// Whether there is one for each.
  bool add(std::size_t rank) {
    reached_ = costs_[rank];
    before_.assign(owner_.size(), kNone);
    while (shorten()) {
    }
    std::size_t free = kNone;
    for (std::size_t device = 0; device < owner_.size(); ++device)
      if (owner_[device] == kNone && (free == kNone || reached_[device] < reached_[free])) free = device;
    if (free == kNone || reached_[free] >= kUnseen) return false;
    for (std::size_t device = free; device != kNone; device = before_[device])
      owner_[device] = before_[device] == kNone ? rank : owner_[before_[device]];
    return true;
  }

  const std::vector<std::size_t>& owner() const { return owner_; }

 private:
  /// Whether a device is reached at less cost if the owner of another one moves to it.
  bool shorten() {
    bool shorter = false;
    for (std::size_t taken = 0; taken < owner_.size(); ++taken) {
      if (owner_[taken] == kNone || reached_[taken] >= kUnseen) continue;
      const std::vector<Cost>& costs = costs_[owner_[taken]];
      for (std::size_t device = 0; device < owner_.size(); ++device) {
        if (costs[device] == kUnseen) continue;
        const Cost moved = reached_[taken] + costs[device] - costs[taken];
        if (moved >= reached_[device]) continue;
        reached_[device] = moved;
        before_[device] = taken;
        shorter = true;
      }
    }
    return shorter;
  }

  const std::vector<std::vector<Cost>>& costs_;
  std::vector<std::size_t> owner_;   ///< by device
  std::vector<Cost> reached_;        ///< by device: of the cheapest way to it for the rank that is added
  std::vector<std::size_t> before_;  ///< by device: whose owner moves to it; kNone: the rank itself takes it
};

}  // namespace

std::optional<std::vector<std::size_t>> assign_devices(const std::vector<std::vector<SeenDevice>>& ranks) {
  std::map<std::string, std::size_t> number;  // of each device
  std::size_t most = 0;                       // that a rank sees
  for (const auto& seen : ranks) {
    for (const SeenDevice& device : seen) number.try_emplace(device.bus_id, number.size());
    most = std::max(most, seen.size());
  }
  // One distance outweighs all squares together.
  const auto unit = static_cast<Cost>(ranks.size() * most * most + 1);
  std::vector<std::vector<Cost>> costs(ranks.size(), std::vector<Cost>(number.size(), kUnseen));
  std::vector<std::map<std::size_t, std::size_t>> index(ranks.size());  // at which a rank sees a device
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const auto usual = static_cast<Cost>(usual_device(rank, ranks[rank].size()));
    for (std::size_t i = 0; i < ranks[rank].size(); ++i) {
      const std::size_t device = number.at(ranks[rank][i].bus_id);
      if (!index[rank].try_emplace(device, i).second) continue;  // parts of a device have its bus id
      const Cost apart = static_cast<Cost>(i) - usual;
      costs[rank][device] = unit * ranks[rank][i].distance + apart * apart;
    }
  }

  Assignment assignment(costs);
  for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    if (!assignment.add(rank)) return std::nullopt;
  std::vector<std::size_t> result(ranks.size());
  for (std::size_t device = 0; device < number.size(); ++device)
    if (const std::size_t rank = assignment.owner()[device]; rank != kNone) result[rank] = index[rank].at(device);
  return result;
}

}  // namespace mgbench

#include "bench/gpu/choose_device.h"

#include <algorithm>
#include <cstdint>
#include <map>

#include "bench/gpu/assign_devices.h"
#include "bench/host/machine.h"
#include "report/json.h"

namespace mgbench {
namespace {

using Distances = std::vector<std::optional<DeviceDistance>>;

/// What does not tell its distance is as good as any.
std::string to_text(const std::vector<std::string>& bus_ids, const Distances& distances) {
  Json devices = Json::array();
  for (std::size_t i = 0; i < bus_ids.size(); ++i)
    devices.push_back({bus_ids[i], distances[i] ? static_cast<int>(*distances[i]) : 0});
  return devices.dump();
}

std::vector<SeenDevice> from_text(const std::string& text) {
  std::vector<SeenDevice> devices;
  for (const Json& device : Json::parse(text))
    devices.push_back({.bus_id = device.at(0).get<std::string>(), .distance = device.at(1).get<int>()});
  return devices;
}

/// By rank of the host; the usual ones where there are too few, so that who shares one can be said. On its first rank.
std::vector<std::uint64_t> assign(const std::vector<std::string>& texts) {
  std::vector<std::vector<SeenDevice>> ranks;
  for (const std::string& text : texts) ranks.push_back(from_text(text));
  if (const auto assigned = assign_devices(ranks)) return {assigned->begin(), assigned->end()};
  std::vector<std::uint64_t> usual;
  for (std::size_t place = 0; place < ranks.size(); ++place) usual.push_back(usual_device(place, ranks[place].size()));
  return usual;
}

void require_own_devices(ProcessGroup& group, const std::string& bus_id) {
  const std::vector<std::string> taken = group.gather(fmt::format("{} of {}", bus_id, host_name()));
  std::string refusal;
  std::map<std::string, std::size_t> first;
  for (std::size_t rank = 0; rank < taken.size() && refusal.empty(); ++rank)
    if (const auto [other, fresh] = first.try_emplace(taken[rank], rank); !fresh)
      refusal = fmt::format(
          "ranks {} and {} would share the GPU {}: NCCL takes one rank a GPU, and two would slow each other down; "
          "start as many ranks as there are GPUs (-n), or give each rank its own (--gpus-per-task=1)",
          other->second, rank, taken[rank]);
  group.broadcast(refusal);
  require(refusal.empty(), "{}", refusal);
}

}  // namespace

std::string describe(const RankDevice& device) {
  return fmt::format("GPU {}{}", device.bus_id,
                     device.distance ? fmt::format(" at {}", name_of(*device.distance)) : "");
}

RankDevice choose_device(ProcessGroup& group, const std::vector<std::string>& seen) {
  ProcessGroup host = ranks_of_host(group);
  const Distances distances = distances_to_devices(seen);
  const std::vector<std::string> texts = host.gather(to_text(seen, distances));
  std::vector<std::uint64_t> indices;
  if (host.is_root()) indices = assign(texts);
  host.broadcast(indices);
  const std::size_t own = indices[static_cast<std::size_t>(host.rank())];
  require_own_devices(group, seen[own]);
  return {.index = own, .bus_id = seen[own], .distance = distances[own]};
}

}  // namespace mgbench

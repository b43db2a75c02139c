#include "bench/host/placement.h"

#include <algorithm>
#include <cstdint>

#include "bench/host/machine.h"

namespace mgbench {
namespace {

/// For each binding whether it shares a processor with another one.
std::vector<std::uint64_t> sharing(const std::vector<std::string>& bindings) {
  std::vector<std::uint64_t> shares(bindings.size());
  for (std::size_t i = 0; i < bindings.size(); ++i)
    for (std::size_t other = 0; other < bindings.size(); ++other)
      if (other != i && bindings_overlap(bindings[i], bindings[other])) shares[i] = 1;
  return shares;
}

}  // namespace

Placement place_rank(ProcessGroup& group, std::optional<int> wanted) {
  ProcessGroup host = ranks_of_host(group);
  Placement placement{.host = host_name(),
                      .binding = current_binding(),
                      .host_ranks = host.size(),
                      .shares_cores = false,
                      .threads = 1,
                      .device = std::nullopt};
  std::vector<std::uint64_t> shares = sharing(host.gather(placement.binding));
  host.broadcast(shares);
  placement.shares_cores = shares[static_cast<std::size_t>(host.rank())] != 0;
  const int cores = bound_cores();
  placement.threads = wanted.value_or(placement.shares_cores ? std::max(1, cores / host.size()) : cores);
  return placement;
}

std::string far_devices_remark(ProcessGroup& group, const Placement& placement) {
  std::string own;
  if (placement.device && placement.device->distance == DeviceDistance::other_package)
    own = fmt::format("rank {} on {} (processors {}, GPU {})", group.rank(), placement.host, placement.binding,
                      placement.device->bus_id);
  std::vector<std::string> far = group.gather(own);
  std::erase(far, "");
  if (far.empty()) return "";
  return fmt::format(
      "the GPU of {}{} lies at another package than the processors: what travels between them takes longer; bind ranks "
      "to processors beside GPUs (mpirun --map-by numa, srun --gpu-bind=closest)",
      far.front(), far.size() > 1 ? fmt::format(" and of {} more", far.size() - 1) : "");
}

}  // namespace mgbench

#include "bench/host/interfaces.h"

#include <memory>

namespace mgbench {

void for_each_interface(const std::function<void(const ifaddrs&)>& visit) {
  ifaddrs* first = nullptr;
  if (getifaddrs(&first) != 0) return;
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> owner(first, &freeifaddrs);
  for (const ifaddrs* each = first; each != nullptr; each = each->ifa_next)
    if (each->ifa_addr != nullptr) visit(*each);
}

}  // namespace mgbench

#pragma once

#include <ifaddrs.h>

#include <functional>

namespace mgbench {

/// Visits each address of each network interface of this host (getifaddrs); none where the system does not tell.
void for_each_interface(const std::function<void(const ifaddrs&)>& visit);

}  // namespace mgbench

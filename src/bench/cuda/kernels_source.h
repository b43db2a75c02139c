#pragma once

#include <string_view>

namespace mgbench {

extern const std::string_view kKernelsSource;  ///< of kernels.cu

}  // namespace mgbench

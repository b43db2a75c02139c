#include "driver/kernels.h"

#include <algorithm>
#include <tuple>
#include <type_traits>
#include <utility>

#include "core/memory.h"

// What a kernel sees of its place. Blocks and threads run one after the other.
static stand_in::Index gridDim, blockDim, blockIdx, threadIdx;

#include "kernel_files.inc"

namespace stand_in {

namespace {

template <class T>
bool can_follow(T argument) {
  if constexpr (std::is_pointer_v<T>) return argument == nullptr || memory().reachable_by_device(argument, 1);
  return true;
}

template <class... Parameters, std::size_t... i>
BoundKernel bind_parameters(void (*kernel)(Parameters...), void** arguments, std::index_sequence<i...>) {
  const std::tuple<Parameters...> values{*static_cast<Parameters*>(arguments[i])...};
  if (!(can_follow(std::get<i>(values)) && ...)) return {};
  return [kernel, values](Index grid, Index block) {
    gridDim = grid;
    blockDim = block;
    for (blockIdx.z = 0; blockIdx.z < grid.z; ++blockIdx.z)
      for (blockIdx.y = 0; blockIdx.y < grid.y; ++blockIdx.y)
        for (blockIdx.x = 0; blockIdx.x < grid.x; ++blockIdx.x)
          for (threadIdx.z = 0; threadIdx.z < block.z; ++threadIdx.z)
            for (threadIdx.y = 0; threadIdx.y < block.y; ++threadIdx.y)
              for (threadIdx.x = 0; threadIdx.x < block.x; ++threadIdx.x) std::apply(kernel, values);
  };
}

template <class... Parameters>
BoundKernel bind_parameters(void (*kernel)(Parameters...), void** arguments) {
  return bind_parameters(kernel, arguments, std::index_sequence_for<Parameters...>{});
}

template <auto kernel>
BoundKernel bind(void** arguments) {
  return bind_parameters(kernel, arguments);
}

constexpr Kernel kKernels[] = {
#include "kernel_table.inc"
};

}  // namespace

const Kernel* find_kernel(const std::string& name) {
  const auto* found =
      std::find_if(std::begin(kKernels), std::end(kKernels), [&](const Kernel& kernel) { return name == kernel.name; });
  return found == std::end(kKernels) ? nullptr : found;
}

}  // namespace stand_in

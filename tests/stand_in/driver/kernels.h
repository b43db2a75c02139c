#pragma once

#include <functional>
#include <string>

namespace stand_in {

/// The built-in variables of a kernel.
struct Index {
  unsigned x, y, z;
};

/// A launch with its arguments, which are copied: call it with the sizes of the grid and of a block.
using BoundKernel = std::function<void(Index grid, Index block)>;

struct Kernel {
  const char* name;
  /// Takes arguments as cuLaunchKernel does. An empty function: an argument is a pointer that the device cannot follow.
  BoundKernel (*bind)(void** arguments);
};

/// Null where nothing of that name was compiled in.
const Kernel* find_kernel(const std::string& name);

}  // namespace stand_in

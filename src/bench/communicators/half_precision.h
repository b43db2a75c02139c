#pragma once

#include <cstddef>

#include "bench/network.h"

namespace mgbench {

/// `count` elements of `type`, a half, as float32: exact.
void widen(ElementType type, const void* halves, std::size_t count, float* values);

/// And back, rounded to the nearest, ties to even; beyond the largest, to infinity.
void narrow(ElementType type, const float* values, std::size_t count, void* halves);

}  // namespace mgbench

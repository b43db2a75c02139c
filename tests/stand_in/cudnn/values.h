#pragma once

#include <vector>

#include "cudnn/call.h"

namespace stand_in {

/// The tensor's values in the order n, c, h, w without gaps, as floats.
std::vector<float> load(const Tensor& tensor, const void* data);

/// Writes values of that order: data = alpha * values + beta * data.
void store(const Tensor& tensor, void* data, const std::vector<float>& values, Blend blend);

}  // namespace stand_in

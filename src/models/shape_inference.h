#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/model.h"

namespace mgbench {

/// Checks that `inputs` fit the operation and fills in the layer's output, parameters and multiply-adds.
/// Throws Error naming the layer, what was found and what was expected.
void infer_shape(LayerSpec& layer, std::span<const Shape> inputs);

}  // namespace mgbench

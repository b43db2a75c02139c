#pragma once

#include <cstddef>
#include <vector>

#include "models/model.h"

namespace mgbench {

/// Which of a layer's gradients a backward operation computes. Layers without parameters have only `data`;
/// batch norm computes both in one go; convolutions and inner products do weights first, then data, so that the
/// weights' message leaves as early as it can.
enum class BackwardPart { weights, data, both };

struct BackwardOperation {
  int layer = 0;
  BackwardPart part = BackwardPart::data;
};

/// A step is one layer with parameters and, forward, the layers after it up to the next such layer. Backward it ends
/// when that layer's parameter gradients are complete: what is still to do below it opens the next step.
struct ExecutionStep {
  int layer = 0;             ///< the layer with parameters that the step is named after
  std::vector<int> forward;  ///< layers in order
  std::vector<BackwardOperation> backward;
};

/// The order in which every backend computes: steps in forward order; backward runs them from last to first. Data
/// gradients that no learnable tensor needs (below the first layers) are left out.
std::vector<ExecutionStep> execution_order(const ModelSpec& model);

/// Where each tensor's gradient lies in the arena: tensors in the order in which backward completes them.
struct ArenaTensor {
  std::size_t step = 0;  ///< index into execution_order()
  int layer = 0;
  std::size_t parameter = 0;  ///< index into LayerSpec::parameters
  std::int64_t offset = 0;    ///< in elements
  std::int64_t elements = 0;
};

/// All tensors without gaps, in ready order.
std::vector<ArenaTensor> arena_layout(const ModelSpec& model, const std::vector<ExecutionStep>& steps);

}  // namespace mgbench

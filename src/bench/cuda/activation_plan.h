#pragma once

#include <cstddef>
#include <vector>

#include "models/execution_order.h"
#include "models/model.h"

namespace mgbench::cuda {

/// Which layers' outputs and gradients share memory, and who writes a gradient first. Found from the model alone.
struct ActivationPlan {
  struct Layer {
    int value = 0;       ///< the layer in whose memory this one's output lies; its own, or that of what it overwrites
    int gradient = 0;    ///< the same of the gradient with respect to the output
    bool stored = true;  ///< has an output of its own kind: losses keep their probabilities themselves
    bool needs_gradient = true;
    std::vector<bool> adds;  ///< by input: whether this layer's data gradient adds to what is there (or is the first)
  };
  std::vector<Layer> layers;

  /// Elements of all outputs and gradients, an image.
  std::int64_t elements(const ModelSpec& model) const;
};

/// A ReLU overwrites its input where nobody else reads it and its producer needs no output backward; of the inputs of a
/// sum the first that nobody else reads has the sum's gradient for its own.
ActivationPlan plan_activations(const ModelSpec& model, const std::vector<ExecutionStep>& steps);

}  // namespace mgbench::cuda

#pragma once

#include <vector>

#include "bench/backends/onednn/memory.h"

namespace mgbench::onednn {

class Compilation;

/// The gradients of activations while the backward pass is compiled. Each is a sum over the layer's
/// consumers, and nothing is added up before it is read: what reads it (most often a ReLU) adds up in its own
/// pass over memory, and the backward passes of sums and concatenations are free.
class Gradients {
 public:
  /// One consumer's share, in the layout of the activation. Each image's part may lie in a larger whole.
  struct Addend {
    Buffer buffer;
    std::size_t offset = 0;  ///< floats
    std::size_t stride = 0;  ///< floats from image to image
  };

  explicit Gradients(Compilation& compilation);

  /// Adds a share; converts it to the activation's layout when it lies otherwise.
  void add(int layer, const Buffer& gradient);
  void add(int layer, const std::vector<Addend>& addends);

  /// Takes the shares; the layer's backward pass begins with one of these three.
  std::vector<Addend> take_addends(int layer);
  /// Takes the gradient as one buffer in the activation's layout.
  Buffer take(int layer);
  /// The same, and zero where the activation is not positive: the gradient of a ReLU's input.
  Buffer take_where_positive(int layer);

 private:
  Buffer sum(int layer, const float* mask);

  Compilation& compilation_;
  std::vector<std::vector<Addend>> addends_;  ///< by layer
};

}  // namespace mgbench::onednn

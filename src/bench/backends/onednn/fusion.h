#pragma once

#include <vector>

#include "models/model.h"

namespace mgbench::onednn {

/// The peepholes: which neighbouring layers are computed together.
class Fusion {
 public:
  explicit Fusion(const ModelSpec& model);

  /// The ReLU that `layer` applies to its own output, because it is the only one to read it; -1 if none.
  /// Convolutions and inner products apply it as a post-operation, batch norms keep a bit mask of it, sums do
  /// it in the same loop.
  int relu_of(int layer) const { return relu_of_[static_cast<std::size_t>(layer)]; }

  /// Whether this ReLU is applied by the layer it reads.
  bool is_applied(int relu) const { return applied_[static_cast<std::size_t>(relu)]; }

 private:
  std::vector<int> relu_of_;
  std::vector<bool> applied_;
};

}  // namespace mgbench::onednn

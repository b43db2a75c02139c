#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/registry.h"
#include "models/operation.h"

namespace mgbench {

/// One learnable tensor of a layer, in the logical (plain) layout.
struct ParameterSpec {
  std::string name;                      ///< "conv1.weight"
  std::vector<std::int64_t> dimensions;  ///< [outputs, inputs / groups, height, width], [outputs, inputs] or [channels]
  std::int64_t elements() const;
};

struct LayerSpec {
  std::string name;
  Operation operation;
  std::vector<int> inputs;  ///< indices of earlier layers
  Shape output;
  std::vector<ParameterSpec> parameters;  ///< weight first, then bias
  std::int64_t multiply_adds = 0;         ///< an image, forward; convolutions and inner products
};

/// A network as data: layers in topological order, the first one is the input; losses are layers too.
struct ModelSpec {
  std::string name;
  int classes = 0;
  std::vector<LayerSpec> layers;

  std::int64_t parameters() const;     ///< elements of all learnable tensors
  std::size_t tensors() const;         ///< number of learnable tensors
  std::int64_t multiply_adds() const;  ///< an image, forward
};

/// Builds a ModelSpec layer by layer, inferring shapes. Each call returns the layer's index, to be used as input.
/// Throws Error naming the layer when shapes do not fit or a name is taken.
class ModelBuilder {
 public:
  ModelBuilder(std::string name, Shape input);

  int input() const { return 0; }
  int add(const std::string& name, Operation operation, std::vector<int> inputs);

  /// Shape of an earlier layer's output.
  Shape shape(int layer) const;

  /// The finished model: at least one loss and one learnable tensor, every output used.
  ModelSpec build() &&;

 private:
  ModelSpec model_;
};

struct ModelEntry {
  std::string name;
  std::string summary;
  std::function<ModelSpec()> make;
  int batch = 4;  ///< images a GPU in the measurements of the literature
};

Registry<ModelEntry>& models();

}  // namespace mgbench

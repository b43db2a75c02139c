#pragma once

#include <memory>

#include "bench/backends/onednn/compilation.h"
#include "bench/backends/running_statistics.h"
#include "models/execution_order.h"

namespace mgbench::onednn {

/// One layer of a model on oneDNN. Constructing it compiles its forward pass: it emits the tasks and sets the
/// activation.
class Layer {
 public:
  Layer(Compilation& compilation, int index) : compilation_(compilation), index_(index) {}
  virtual ~Layer() = default;
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;

  /// Emits the tasks of one part of the backward pass: takes the gradient of the output and adds to those of
  /// the inputs.
  virtual void compile_backward(BackwardPart part) = 0;

  /// The weighted loss of the last forward pass; of losses.
  virtual double loss() const { return 0; }
  /// Of a batch norm, else null.
  virtual const RunningStatistics* running_statistics() const { return nullptr; }

 protected:
  Compilation& compilation() const { return compilation_; }
  int index() const { return index_; }
  const LayerSpec& spec() const { return compilation_.spec(index_); }
  bool applies_relu() const { return compilation_.fusion().relu_of(index_) >= 0; }

 private:
  Compilation& compilation_;
  int index_;
};

using LayerPointer = std::unique_ptr<Layer>;

/// One overload an operation.
LayerPointer make_layer(const Input& input, Compilation& compilation, int index);
LayerPointer make_layer(const Convolution& convolution, Compilation& compilation, int index);
LayerPointer make_layer(const InnerProduct& product, Compilation& compilation, int index);
LayerPointer make_layer(const Pooling& pooling, Compilation& compilation, int index);
LayerPointer make_layer(const BatchNorm& norm, Compilation& compilation, int index);
LayerPointer make_layer(const LocalResponseNorm& norm, Compilation& compilation, int index);
LayerPointer make_layer(const Relu& relu, Compilation& compilation, int index);
LayerPointer make_layer(const Dropout& dropout, Compilation& compilation, int index);
LayerPointer make_layer(const Concat& concat, Compilation& compilation, int index);
LayerPointer make_layer(const Add& add, Compilation& compilation, int index);
LayerPointer make_layer(const SoftmaxLoss& loss, Compilation& compilation, int index);

}  // namespace mgbench::onednn

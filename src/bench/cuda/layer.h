#pragma once

#include <memory>
#include <vector>

#include "bench/cuda/parameters.h"
#include "bench/cuda/tensors.h"
#include "bench/cuda/workspace.h"

namespace mgbench::cuda {

/// What one layer works on. All of it outlives the layer.
struct LayerContext {
  Context& network;
  Parameters& parameters;
  Workspace& workspace;
  std::vector<const Activation*> inputs;
  const Activation* output = nullptr;
  const ActivationPlan::Layer* plan = nullptr;
  int layer = 0;
};

/// One operation: calls only enqueue.
class Layer {
 public:
  explicit Layer(LayerContext context) : context_(std::move(context)) {}
  virtual ~Layer() = default;

  virtual void forward() = 0;
  /// Writes the gradients of the parameters, and writes or adds to those of the inputs, as `part` and the plan say.
  virtual void backward(BackwardPart part) = 0;
  /// Weighted, for losses. Waits for the device.
  virtual double loss() const { return 0; }

 protected:
  const Context& network() const { return context_.network; }
  Parameters& parameters() const { return context_.parameters; }
  Workspace& workspace() const { return context_.workspace; }
  const Activation& input(std::size_t i = 0) const { return *context_.inputs[i]; }
  std::size_t inputs() const { return context_.inputs.size(); }
  const Activation& output() const { return *context_.output; }
  int layer() const { return context_.layer; }
  /// What the gradient of an input that is there already counts.
  float kept(std::size_t i = 0) const { return context_.plan->adds[i] ? 1.0F : 0.0F; }
  bool adds(std::size_t i = 0) const { return context_.plan->adds[i]; }

 private:
  LayerContext context_;
};

using LayerPointer = std::unique_ptr<Layer>;

inline constexpr float kOne = 1;
inline constexpr float kZero = 0;

/// One overload an operation.
LayerPointer make_layer(const Convolution& convolution, LayerContext context);
LayerPointer make_layer(const InnerProduct& product, LayerContext context);
LayerPointer make_layer(const Pooling& pooling, LayerContext context);
LayerPointer make_layer(const BatchNorm& norm, LayerContext context);
LayerPointer make_layer(const LocalResponseNorm& norm, LayerContext context);
LayerPointer make_layer(const Relu& relu, LayerContext context);
LayerPointer make_layer(const Dropout& dropout, LayerContext context);
LayerPointer make_layer(const Concat& concat, LayerContext context);
LayerPointer make_layer(const Add& add, LayerContext context);
LayerPointer make_layer(const SoftmaxLoss& loss, LayerContext context);

}  // namespace mgbench::cuda

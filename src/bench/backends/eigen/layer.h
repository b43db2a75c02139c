#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bench/backends/running_statistics.h"
#include "bench/network.h"
#include "models/execution_order.h"
#include "models/model.h"

namespace mgbench {

/// A layer's output and the gradient of the loss with respect to it: [batch, channels, height, width].
template <typename Scalar>
struct Activation {
  int batch = 0;
  Shape shape;
  std::vector<Scalar> value;
  std::vector<Scalar> gradient;  ///< sum over the consumers; zero when backward starts

  std::size_t index(int image, int channel, int y, int x) const {
    return ((static_cast<std::size_t>(image) * shape.channels + channel) * shape.height + y) * shape.width + x;
  }
};

/// What one layer works on. All of it outlives the layer.
template <typename Scalar>
struct LayerContext {
  std::vector<Activation<Scalar>*> inputs;
  Activation<Scalar>* output = nullptr;
  std::vector<std::span<Scalar>> parameters;  ///< weight, bias; plain layout
  std::vector<std::span<Scalar>> gradients;   ///< of the parameters
  const NetworkRequest* request = nullptr;
  const std::uint64_t* iteration = nullptr;
  int layer = 0;
};

/// One operation, written from its definition in models/operation.h.
template <typename Scalar>
class Layer {
 public:
  explicit Layer(LayerContext<Scalar> context) : context_(std::move(context)) {}
  virtual ~Layer() = default;

  virtual void forward() = 0;
  /// Writes the gradients of the parameters and adds to those of the inputs, as `part` says.
  virtual void backward(BackwardPart part) = 0;
  /// Weighted, for losses.
  virtual double loss() const { return 0; }
  /// Of a batch norm, else null.
  virtual const RunningStatistics* running_statistics() const { return nullptr; }

 protected:
  Activation<Scalar>& input(std::size_t i = 0) const { return *context_.inputs[i]; }
  Activation<Scalar>& output() const { return *context_.output; }
  const LayerContext<Scalar>& context() const { return context_; }

 private:
  LayerContext<Scalar> context_;
};

template <typename Scalar>
using LayerPointer = std::unique_ptr<Layer<Scalar>>;

/// One overload an operation; instantiated for float and double.
template <typename Scalar>
LayerPointer<Scalar> make_layer(const Convolution& convolution, LayerContext<Scalar> context);
template <typename Scalar>
LayerPointer<Scalar> make_layer(const InnerProduct& product, LayerContext<Scalar> context);
template <typename Scalar>
LayerPointer<Scalar> make_layer(const Pooling& pooling, LayerContext<Scalar> context);
template <typename Scalar>
LayerPointer<Scalar> make_layer(const BatchNorm& norm, LayerContext<Scalar> context);
template <typename Scalar>
LayerPointer<Scalar> make_layer(const LocalResponseNorm& norm, LayerContext<Scalar> context);
template <typename Scalar>
LayerPointer<Scalar> make_layer(const Relu& relu, LayerContext<Scalar> context);
template <typename Scalar>
LayerPointer<Scalar> make_layer(const Dropout& dropout, LayerContext<Scalar> context);
template <typename Scalar>
LayerPointer<Scalar> make_layer(const Concat& concat, LayerContext<Scalar> context);
template <typename Scalar>
LayerPointer<Scalar> make_layer(const Add& add, LayerContext<Scalar> context);
template <typename Scalar>
LayerPointer<Scalar> make_layer(const SoftmaxLoss& loss, LayerContext<Scalar> context);

}  // namespace mgbench

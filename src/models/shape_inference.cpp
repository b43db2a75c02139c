#include "models/shape_inference.h"

#include "base/error.h"

namespace mgbench {
namespace {

struct Window {
  int kernel, stride, padding;
  bool ceil_mode;
};

int output_size(const LayerSpec& layer, int input, const Window& window) {
  require(window.kernel >= 1 && window.stride >= 1 && window.padding >= 0 && window.padding < window.kernel,
          "layer '{}': kernel {}, stride {}, padding {}: expected kernel >= 1, stride >= 1, 0 <= padding < "
          "kernel",
          layer.name, window.kernel, window.stride, window.padding);
  const int room = input + 2 * window.padding - window.kernel;
  require(room >= 0, "layer '{}': a window of {} does not fit an input of {} with padding {}", layer.name,
          window.kernel, input, window.padding);
  if (!window.ceil_mode) return room / window.stride + 1;
  const int output = (room + window.stride - 1) / window.stride + 1;
  // The last window must start inside the image or its left padding (Caffe's rule).
  return (output - 1) * window.stride >= input + window.padding ? output - 1 : output;
}

/// Fills in one layer; one overload an operation. The number of inputs has been checked.
struct Inference {
  LayerSpec& layer;
  std::span<const Shape> inputs;

  void parameter(const char* suffix, std::vector<std::int64_t> dimensions) {
    layer.parameters.push_back({layer.name + "." + suffix, std::move(dimensions)});
  }
  void bias(bool wanted, int outputs) {
    if (wanted) parameter("bias", {outputs});
  }

  void operator()(const Input&) {}

  void operator()(const Convolution& convolution) {
    const Shape& in = inputs[0];
    require(convolution.outputs >= 1 && convolution.groups >= 1 && in.channels % convolution.groups == 0 &&
                convolution.outputs % convolution.groups == 0,
            "layer '{}': {} input channels to {} outputs in {} groups: expected groups that divide both", layer.name,
            in.channels, convolution.outputs, convolution.groups);
    const Window window{convolution.kernel, convolution.stride, convolution.padding, false};
    layer.output = {convolution.outputs, output_size(layer, in.height, window), output_size(layer, in.width, window)};
    parameter("weight",
              {convolution.outputs, in.channels / convolution.groups, convolution.kernel, convolution.kernel});
    layer.multiply_adds = layer.parameters[0].elements() * layer.output.height * layer.output.width;
    bias(convolution.bias, convolution.outputs);
  }

  void operator()(const InnerProduct& product) {
    require(product.outputs >= 1, "layer '{}': {} outputs; expected at least one", layer.name, product.outputs);
    layer.output = {product.outputs};
    parameter("weight", {product.outputs, inputs[0].elements()});
    layer.multiply_adds = layer.parameters[0].elements();
    bias(product.bias, product.outputs);
  }

  void operator()(const Pooling& pooling) {
    const Window window{pooling.kernel, pooling.stride, pooling.padding, pooling.ceil_mode};
    layer.output = {inputs[0].channels, output_size(layer, inputs[0].height, window),
                    output_size(layer, inputs[0].width, window)};
  }

  void operator()(const BatchNorm&) {
    layer.output = inputs[0];
    parameter("weight", {inputs[0].channels});
    parameter("bias", {inputs[0].channels});
  }

  void operator()(const LocalResponseNorm& norm) {
    require(norm.size >= 1 && norm.size % 2 == 1, "layer '{}': size {}; expected an odd number of channels", layer.name,
            norm.size);
    layer.output = inputs[0];
  }

  void operator()(const Relu&) { layer.output = inputs[0]; }

  void operator()(const Dropout& dropout) {
    require(dropout.ratio >= 0 && dropout.ratio < 1, "layer '{}': ratio {}; expected 0 <= ratio < 1", layer.name,
            dropout.ratio);
    layer.output = inputs[0];
  }

  void operator()(const Concat&) {
    layer.output = inputs[0];
    layer.output.channels = 0;
    for (const Shape& in : inputs) {
      require(in.height == layer.output.height && in.width == layer.output.width,
              "layer '{}': inputs of {}x{} and {}x{}; expected equal height and width", layer.name, layer.output.height,
              layer.output.width, in.height, in.width);
      layer.output.channels += in.channels;
    }
  }

  void operator()(const Add&) {
    require(inputs[0] == inputs[1], "layer '{}': inputs of {}x{}x{} and {}x{}x{}; expected equal shapes", layer.name,
            inputs[0].channels, inputs[0].height, inputs[0].width, inputs[1].channels, inputs[1].height,
            inputs[1].width);
    layer.output = inputs[0];
  }

  void operator()(const SoftmaxLoss&) {
    require(inputs[0].height == 1 && inputs[0].width == 1,
            "layer '{}': an image of {}x{}; expected a vector of classes", layer.name, inputs[0].height,
            inputs[0].width);
    layer.output = inputs[0];
  }
};

}  // namespace

void infer_shape(LayerSpec& layer, std::span<const Shape> inputs) {
  const Operation& operation = layer.operation;
  const bool any_number = std::holds_alternative<Concat>(operation);
  const std::size_t expected = std::holds_alternative<Add>(operation)     ? 2
                               : std::holds_alternative<Input>(operation) ? 0
                                                                          : 1;
  require(any_number ? !inputs.empty() : inputs.size() == expected,
          "layer '{}': {} inputs; a layer of kind '{}' takes {}", layer.name, inputs.size(), operation_name(operation),
          any_number ? "one or more" : std::to_string(expected));
  std::visit(Inference{layer, inputs}, operation);
}

}  // namespace mgbench

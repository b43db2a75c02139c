#include "models/model.h"

namespace mgbench::models_entries {
namespace {

// Krizhevsky, Sutskever, Hinton, "ImageNet Classification with Deep Convolutional Neural Networks" (2012), as
// Caffe trains it: one tower with grouped convolutions, 227x227, normalization before pooling.
ModelSpec make() {
  ModelBuilder net("alexnet", {3, 227, 227});

  auto convolution = [&](const std::string& name, int from, Convolution shape) {
    return net.add("relu_" + name, Relu{}, {net.add(name, shape, {from})});
  };
  auto pool = [&](const std::string& name, int from) {
    return net.add(name, Pooling{.kind = PoolingKind::maximum, .kernel = 3, .stride = 2}, {from});
  };
  auto hidden = [&](const std::string& name, int from) {
    const int relu = net.add("relu_" + name, Relu{}, {net.add(name, InnerProduct{4096}, {from})});
    return net.add("drop_" + name, Dropout{0.5}, {relu});
  };

  int x = convolution("conv1", net.input(), {.outputs = 96, .kernel = 11, .stride = 4});
  x = pool("pool1", net.add("norm1", LocalResponseNorm{}, {x}));
  x = convolution("conv2", x, {.outputs = 256, .kernel = 5, .padding = 2, .groups = 2});
  x = pool("pool2", net.add("norm2", LocalResponseNorm{}, {x}));
  x = convolution("conv3", x, {.outputs = 384, .kernel = 3, .padding = 1});
  x = convolution("conv4", x, {.outputs = 384, .kernel = 3, .padding = 1, .groups = 2});
  x = convolution("conv5", x, {.outputs = 256, .kernel = 3, .padding = 1, .groups = 2});
  x = hidden("fc6", pool("pool5", x));
  x = hidden("fc7", x);
  net.add("loss", SoftmaxLoss{}, {net.add("fc8", InnerProduct{1000}, {x})});
  return std::move(net).build();
}

}  // namespace

ModelEntry alexnet() {
  return {"alexnet", "AlexNet of 2012, 227x227, two groups, local response normalization", make, 128};
}

}  // namespace mgbench::models_entries

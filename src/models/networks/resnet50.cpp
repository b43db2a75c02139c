#include "models/model.h"

namespace mgbench::models_entries {
namespace {

// He et al., "Deep Residual Learning for Image Recognition" (2015), version 1.5: the stride sits in a block's
// 3x3 convolution.
class ResNet50 {
 public:
  ModelSpec make() && {
    int x = convolution("conv1", net_.input(), {.outputs = 64, .kernel = 7, .stride = 2, .padding = 3});
    x = net_.add("conv1_relu", Relu{}, {x});
    x = net_.add("pool1", Pooling{.kernel = 3, .stride = 2, .padding = 1}, {x});
    x = stage("conv2", x, {.blocks = 3, .width = 64, .stride = 1});
    x = stage("conv3", x, {.blocks = 4, .width = 128, .stride = 2});
    x = stage("conv4", x, {.blocks = 6, .width = 256, .stride = 2});
    x = stage("conv5", x, {.blocks = 3, .width = 512, .stride = 2});
    x = net_.add("pool5", Pooling{.kind = PoolingKind::average, .kernel = 7, .stride = 1}, {x});
    net_.add("loss", SoftmaxLoss{}, {net_.add("fc", InnerProduct{1000}, {x})});
    return std::move(net_).build();
  }

 private:
  struct Stage {
    int blocks, width, stride;
  };

  /// Without bias, followed by batch norm.
  int convolution(const std::string& name, int from, Convolution shape) {
    shape.bias = false;
    return net_.add(name + "_bn", BatchNorm{}, {net_.add(name, shape, {from})});
  }

  int stage(const std::string& name, int from, const Stage& stage) {
    int x = from;
    for (int block = 0; block < stage.blocks; ++block)
      x = bottleneck(name + "_" + std::to_string(block + 1), x, stage.width, block == 0 ? stage.stride : 1);
    return x;
  }

  int bottleneck(const std::string& name, int from, int width, int stride) {
    int x = net_.add(name + "a_relu", Relu{}, {convolution(name + "a", from, {.outputs = width})});
    x = convolution(name + "b", x, {.outputs = width, .kernel = 3, .stride = stride, .padding = 1});
    x = net_.add(name + "b_relu", Relu{}, {x});
    x = convolution(name + "c", x, {.outputs = 4 * width});
    int shortcut = from;
    if (net_.shape(from) != net_.shape(x))
      shortcut = convolution(name + "_shortcut", from, {.outputs = 4 * width, .stride = stride});
    return net_.add(name + "_relu", Relu{}, {net_.add(name + "_add", Add{}, {x, shortcut})});
  }

  ModelBuilder net_{"resnet50", {3, 224, 224}};
};

}  // namespace

ModelEntry resnet50() {
  return {"resnet50", "ResNet-50 v1.5 (stride in the 3x3 convolution)", [] { return ResNet50().make(); }, 32};
}

}  // namespace mgbench::models_entries

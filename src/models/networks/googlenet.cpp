#include "models/model.h"

namespace mgbench::models_entries {
namespace {

struct Inception {
  int one;                  ///< outputs of the 1x1 branch
  int reduce_three, three;  ///< 1x1 then 3x3
  int reduce_five, five;    ///< 1x1 then 5x5
  int pool;                 ///< 3x3 maximum pooling, then 1x1
};

// Szegedy et al., "Going Deeper with Convolutions" (2014), as Caffe trains it: both auxiliary heads, pooling
// in ceil mode (112 -> 56 -> 28 -> 14 -> 7).
class GoogLeNet {
 public:
  ModelSpec make() && {
    int x = convolution("conv1", net_.input(), {.outputs = 64, .kernel = 7, .stride = 2, .padding = 3});
    x = net_.add("norm1", LocalResponseNorm{}, {pool("pool1", x)});
    x = convolution("conv2_reduce", x, {.outputs = 64});
    x = convolution("conv2", x, {.outputs = 192, .kernel = 3, .padding = 1});
    x = pool("pool2", net_.add("norm2", LocalResponseNorm{}, {x}));
    x = inception("3a", x, {64, 96, 128, 16, 32, 32});
    x = inception("3b", x, {128, 128, 192, 32, 96, 64});
    x = inception("4a", pool("pool3", x), {192, 96, 208, 16, 48, 64});
    auxiliary_head("aux1", x);
    x = inception("4b", x, {160, 112, 224, 24, 64, 64});
    x = inception("4c", x, {128, 128, 256, 24, 64, 64});
    x = inception("4d", x, {112, 144, 288, 32, 64, 64});
    auxiliary_head("aux2", x);
    x = inception("4e", x, {256, 160, 320, 32, 128, 128});
    x = inception("5a", pool("pool4", x), {256, 160, 320, 32, 128, 128});
    x = inception("5b", x, {384, 192, 384, 48, 128, 128});
    x = net_.add("pool5", Pooling{.kind = PoolingKind::average, .kernel = 7, .stride = 1}, {x});
    x = net_.add("drop", Dropout{0.4}, {x});
    net_.add("loss", SoftmaxLoss{}, {net_.add("fc", InnerProduct{1000}, {x})});
    return std::move(net_).build();
  }

 private:
  int convolution(const std::string& name, int from, Convolution shape) {
    return net_.add(name + "_relu", Relu{}, {net_.add(name, shape, {from})});
  }

  int pool(const std::string& name, int from) {
    return net_.add(name, Pooling{.kernel = 3, .stride = 2, .ceil_mode = true}, {from});
  }

  int inception(const std::string& name, int from, const Inception& outputs) {
    const std::string prefix = "inception_" + name + "_";
    const int one = convolution(prefix + "1x1", from, {.outputs = outputs.one});
    int three = convolution(prefix + "3x3_reduce", from, {.outputs = outputs.reduce_three});
    three = convolution(prefix + "3x3", three, {.outputs = outputs.three, .kernel = 3, .padding = 1});
    int five = convolution(prefix + "5x5_reduce", from, {.outputs = outputs.reduce_five});
    five = convolution(prefix + "5x5", five, {.outputs = outputs.five, .kernel = 5, .padding = 2});
    int pooled = net_.add(prefix + "pool", Pooling{.kernel = 3, .stride = 1, .padding = 1}, {from});
    pooled = convolution(prefix + "pool_proj", pooled, {.outputs = outputs.pool});
    return net_.add(prefix + "output", Concat{}, {one, three, five, pooled});
  }

  void auxiliary_head(const std::string& name, int from) {
    const Pooling average{.kind = PoolingKind::average, .kernel = 5, .stride = 3, .ceil_mode = true};
    int x = convolution(name + "_conv", net_.add(name + "_pool", average, {from}), {.outputs = 128});
    x = net_.add(name + "_relu", Relu{}, {net_.add(name + "_fc1", InnerProduct{1024}, {x})});
    x = net_.add(name + "_drop", Dropout{0.7}, {x});
    net_.add(name + "_loss", SoftmaxLoss{0.3}, {net_.add(name + "_fc2", InnerProduct{1000}, {x})});
  }

  ModelBuilder net_{"googlenet", {3, 224, 224}};
};

}  // namespace

ModelEntry googlenet() {
  return {"googlenet", "Inception v1 with both auxiliary heads, pooling in ceil mode",
          [] { return GoogLeNet().make(); }, 64};
}

}  // namespace mgbench::models_entries
